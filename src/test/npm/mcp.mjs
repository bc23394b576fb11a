import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

const token = process.argv[3];
const transport = new StreamableHTTPClientTransport(new URL(process.argv[2]), {
  requestInit: token ? { headers: { authorization: 'Bearer ' + token } } : {},
});
const client = new Client({ name: 'agent', version: '1.0.0' });
const told = new Promise((tell) => {
  client.setNotificationHandler(LoggingMessageNotificationSchema, (note) => tell(note.params.data));
});
await client.connect(transport);
const tools = await client.listTools();
console.log(tools.tools.map((tool) => tool.name).join(','));
const answer = await client.callTool({ name: 'greet', arguments: {} });
console.log(answer.content[0].text);
// By the stream that a GET opened: it stays open beside the calls.
console.log(await told);
await transport.terminateSession();
await client.close();
