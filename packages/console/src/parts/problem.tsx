import { Icon } from "./icons.tsx";

export function Problem(props: { readonly text: string }) {
  return (
    <p className="problem" role="alert">
      <Icon name="warn" />
      <span>{props.text}</span>
    </p>
  );
}
