import Logging

/// Gives each line to a test, as its level and message.
package struct LineRecorder: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel = Logger.Level.trace
    private let record: @Sendable (String) -> Void

    package init(_ record: @escaping @Sendable (String) -> Void) { self.record = record }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) { record("\(event.level) \(event.message)") }
}
