import { CliffordMcpServer } from './mcp/server/clifford-mcp-server.ts';
import { serveSignals } from './signals/serve-signals.ts';

/** A {@link CliffordMcpServer} that also shows questions as files and takes answers from files. */
export class ServingMcpServer extends CliffordMcpServer {
  protected override startCompanion(place: Parameters<typeof serveSignals>[0]): {
    readonly stop: () => Promise<void>;
  } {
    return serveSignals(place);
  }
}
