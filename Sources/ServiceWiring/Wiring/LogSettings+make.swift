import Foundation
import Logging
import Synchronization
import Traces

extension LogSettings {
    /// Returns a logger that writes to standard error.
    /// - Parameter tracing: whether each line of a request has its trace's id, whatever logs it.
    package func makeLogger(_ label: String, tracing: Bool = false) -> Logger {
        let provider = tracing ? Self.traceID : nil
        var logger = Logger(label: label) { label in
            switch format {
            case .text: StreamLogHandler.standardError(label: label, metadataProvider: provider)
            case .json:
                JSONLogHandler(metadataProvider: provider, label: label, now: { Date() }, write: Self.write)
            }
        }
        logger.logLevel = level
        return logger
    }

    private static let traceID = Logger.MetadataProvider {
        TraceContext.current.map { ["hb.request.id": "\($0.traceID)"] } ?? [:]
    }

    /// A long line is written in several parts, so writes are serialized.
    private static func write(_ line: Data) {
        writeLock.withLock { _ in try? FileHandle.standardError.write(contentsOf: line) }
    }

    private static let writeLock = Mutex(())
}
