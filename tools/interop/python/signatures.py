"""A foreign implementation of HTTP message signatures: judges requests that it is given, and signs some with a key of its own."""
import base64
import datetime
import hashlib
import json
import sys
from types import SimpleNamespace

from cryptography.hazmat.primitives.asymmetric import ed25519
from http_message_signatures import HTTPMessageSigner, HTTPMessageVerifier, MappingKeyResolver, algorithms
from http_message_signatures.structures import CaseInsensitiveDict

AGENT_MEMBER = '"signature-agent";key="{}"'


def say(**facts):
    print(json.dumps(facts), flush=True)


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def message_of(given):
    return SimpleNamespace(
        method=given["method"], url=given["url"], headers=CaseInsensitiveDict(given["headers"])
    )


def judge(verifier, given):
    """Whether it holds by every rule of theirs, and what it covers."""
    try:
        results = verifier.verify(
            message_of(given),
            expect_tag=given["tag"],
            require_components=given["components"],
            body=given["body"].encode(),
        )
    except Exception as problem:
        return {"holds": False, "why": str(problem)}
    return {"holds": True, "covered": [list(one.covered_components) for one in results]}


def signed(private_key, key_id, given):
    message = message_of(given)
    label = given["label"]
    message.headers["Signature-Agent"] = f'{label}="{given["agent"]}"'
    now = datetime.datetime.now(datetime.timezone.utc)
    signer = HTTPMessageSigner(
        signature_algorithm=algorithms.ED25519,
        key_resolver=MappingKeyResolver(public_keys={}, private_keys={key_id: private_key}),
    )
    signer.sign(
        message,
        key_id=key_id,
        created=now,
        expires=now + datetime.timedelta(seconds=60),
        nonce=given["nonce"],
        label=label,
        tag=given["tag"],
        covered_component_ids=[*given["components"], AGENT_MEMBER.format(label)],
        **({"body": given["body"].encode()} if given["body"] else {}),
    )
    return {"method": message.method, "url": message.url, "headers": dict(message.headers), "body": given["body"]}


def main(job):
    theirs = ed25519.Ed25519PublicKey.from_public_bytes(from_base64url(job["key"]["x"]))
    verifier = HTTPMessageVerifier(
        signature_algorithm=algorithms.ED25519,
        key_resolver=MappingKeyResolver(public_keys={job["key"]["key_id"]: theirs}, private_keys={}),
    )
    for given in job["judge"]:
        say(name=given["name"], **judge(verifier, given))
    private_key = ed25519.Ed25519PrivateKey.generate()
    x = base64url(private_key.public_key().public_bytes_raw())
    # RFC 8037, appendix A.3.
    key_id = base64url(hashlib.sha256(f'{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}'.encode()).digest())
    say(key={"kty": "OKP", "crv": "Ed25519", "x": x}, key_id=key_id)
    for given in job["sign"]:
        say(signed=signed(private_key, key_id, given))


main(json.load(sys.stdin))
