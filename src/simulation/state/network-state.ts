/**
 * Channels, buffer pools and barriers of a running job. Owned by src/simulation/network: nobody else reads inside (metrics and REST
 * read SubtaskColumns and CheckpointState).
 */
export interface JobNetworkState {
  edges: EdgeState[];
}

export interface EdgeState {
  readonly sourceVertex: number;
  readonly targetVertex: number;
}
