/** The variable that marks every process of an attempt. */
export const RUN_ID_VARIABLE = 'CLIFFORD_RUN_ID';
