import { mkdirSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { ensureChromium } from "@countersign/route-browser";
import { DIRECTORY_PATH } from "@countersign/web-bot-auth";
import { secret } from "@countersign/wire";
import { configuredApplication } from "../app-file/read.ts";
import { type Command, print, readArgs, say, usageError } from "../cli.ts";
import { loadPlugins } from "../plugins/load.ts";
import { readDestinations } from "../setup/called-destinations.ts";
import { composeGateway } from "../setup/compose.ts";
import { ensureConsole } from "../setup/console-build.ts";
import { dataDir } from "../setup/data-dir.ts";
import { readCallers, readIdentity } from "../setup/identity-settings.ts";
import { readNotify } from "../setup/notify-settings.ts";
import { readOAuth } from "../setup/oauth-settings.ts";
import { readPeople } from "../setup/people-settings.ts";
import { readSettings, settingsFolder } from "../setup/settings.ts";
import { DATABASE_ENV } from "../setup/store-problem.ts";
import { untilStopped } from "../setup/until-stopped.ts";

export const startCommand: Command = {
  name: "start",
  help: `Usage: countersign start [--port N] [--data DIR] [--config FILE] [--sandbox on|off]

Starts the gateway and prints a one-time link that signs you in to the trusted
interface. Ctrl+C stops it; killing it loses nothing but an open sign-in view.

  --port N         shorthand for the issuer http://localhost:N (default 4600)
  --data DIR       where the store, the keys and the socket live
  --config FILE    settings (default: countersign.json in the data directory)
  --sandbox MODE   Chromium's own sandbox; "off" only where it cannot run, such as for root

The store is a file in the data directory. With DATABASE_URL set it is that PostgreSQL database (15 or newer),
which any number of gateways may share; each has a data directory of its own.`,
  async run(args) {
    const parsed = readArgs(args, {
      port: { type: "string" },
      data: { type: "string" },
      config: { type: "string" },
      sandbox: { type: "string" },
    });
    if (!parsed.ok) return usageError(startCommand, parsed.reason);
    const { values } = parsed.value;
    const dir = dataDir(values.data);
    const settings = readSettings(dir, values.config);
    if (!settings.ok) {
      say(settings.reason);
      return 1;
    }
    const notify = readNotify(settings.value.notify, process.env);
    if (!notify.ok) {
      say(notify.reason);
      return 1;
    }
    const openid = readPeople(settings.value.people);
    if (!openid.ok) {
      say(openid.reason);
      return 1;
    }
    const outside = await loadPlugins(settings.value.plugins, { settingsFolder: settingsFolder(dir, values.config) });
    if (!outside.ok) {
      say(outside.reason);
      return 1;
    }
    const application = await configuredApplication(settings.value, settingsFolder(dir, values.config));
    if (!application.ok) {
      say(application.reason);
      return 1;
    }
    const destinations = await readDestinations(settings.value.destinations, settingsFolder(dir, values.config));
    if (!destinations.ok) {
      say(destinations.reason);
      return 1;
    }
    const issuer = values.port === undefined ? settings.value.issuer : `http://localhost:${values.port}`;
    const identity = readIdentity(settings.value.identity, { issuer, destinations: destinations.value.settings });
    if (!identity.ok) {
      say(identity.reason);
      return 1;
    }
    const callers = readCallers(settings.value.identity, issuer);
    const sandbox = values.sandbox ?? settings.value.sandbox;
    if (sandbox !== "on" && sandbox !== "off") return usageError(startCommand, "--sandbox is on or off");
    if (values.port !== undefined && !/^\d{1,5}$/.test(values.port))
      return usageError(startCommand, "--port takes a number");
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const chromium = await ensureChromium(say);
    if (!chromium.ok) {
      say(chromium.reason.message);
      return 1;
    }
    const built = await ensureConsole(say);
    if (!built.ok) {
      say(built.reason);
      return 1;
    }
    const database = process.env[DATABASE_ENV];
    const gateway = await composeGateway({
      dataDir: dir,
      issuer,
      host: settings.value.host,
      ...(settings.value.listenPort === undefined ? {} : { listenPort: settings.value.listenPort }),
      ...(database ? { database: secret(database) } : {}),
      sandbox,
      logLevel: settings.value.logLevel,
      destinations: destinations.value.settings,
      sites: destinations.value.sites,
      chromium: chromium.value,
      approvals: settings.value.approvals,
      notify: notify.value,
      ...(openid.value === undefined ? {} : { openid: openid.value }),
      oauth: readOAuth(settings.value.oauth),
      outside: outside.value,
      ...(application.value === undefined ? {} : { application: application.value }),
      ...(identity.value === undefined ? {} : { identity: identity.value }),
      ...(callers === undefined ? {} : { callers }),
      taskWebhooks: settings.value.taskWebhooks,
    });
    if (!gateway.ok) {
      say(`countersign start: ${gateway.reason}`);
      return 1;
    }
    const { core } = gateway.value;
    const link = await gateway.value.signInLink();
    print(`Countersign is running at ${core.issuer} (process ${process.pid}).`);
    print(`Sign in once, within 15 minutes: ${core.issuer}/link#${link.reveal()}`);
    print(`The pin that receipts are verified with: ${core.keys.pin}`);
    if (identity.value !== undefined)
      print(`Requests to destinations are signed; the keys are at ${core.issuer}${DIRECTORY_PATH}`);
    // A process that is killed later has still kept what it compiled.
    flushCompileCache();
    await untilStopped();
    say("Stopping.");
    await gateway.value.stop();
    return 0;
  },
};
