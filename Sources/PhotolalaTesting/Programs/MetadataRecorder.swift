import Logging

/// Gives each line's metadata to a test, with the message as `message`.
package struct MetadataRecorder: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel = Logger.Level.trace
    private let record: @Sendable ([String: String]) -> Void

    package init(_ record: @escaping @Sendable ([String: String]) -> Void) { self.record = record }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        record(all.mapValues { "\($0)" }.merging(["message": "\(event.message)"]) { _, new in new })
    }
}
