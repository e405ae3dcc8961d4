import { Icon } from "./icons.tsx";
import { Text } from "./value.tsx";

export function Problem(props: { readonly text: string }) {
  return (
    <p className="problem" role="alert">
      <Icon name="warn" />
      <span>
        <Text text={props.text} />
      </span>
    </p>
  );
}
