/** As what a question that is typed in a shell is recorded: no MCP client has said its name there. */
export const shellClient = 'clifford ask';
