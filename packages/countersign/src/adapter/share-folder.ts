/** The environment member by which a run of tests hears whose imports are answered with our packages. */
export const SHARE_FOLDER = "COUNTERSIGN_ADAPTER_FOLDER";
