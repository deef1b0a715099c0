/** Where the rules of a target are listed. */
export const rulesAddress = (targetId: string) => `/agents/${targetId}/evaluations/online`;

/** The page of a rule. */
export const ruleAddress = (targetId: string, ruleId: string) => `${rulesAddress(targetId)}/${ruleId}`;
