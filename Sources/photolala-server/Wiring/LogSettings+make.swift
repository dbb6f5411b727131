import Foundation
import Logging
import Synchronization

extension LogSettings {
    /// Returns a logger that writes to standard error.
    func makeLogger(_ label: String) -> Logger {
        var logger = Logger(label: label) { label in
            switch format {
            case .text: StreamLogHandler.standardError(label: label)
            case .json: JSONLogHandler(label: label, now: { Date() }, write: Self.write)
            }
        }
        logger.logLevel = level
        return logger
    }

    /// A long line is written in several parts, so writes are serialized.
    private static func write(_ line: Data) {
        writeLock.withLock { _ in try? FileHandle.standardError.write(contentsOf: line) }
    }

    private static let writeLock = Mutex(())
}
