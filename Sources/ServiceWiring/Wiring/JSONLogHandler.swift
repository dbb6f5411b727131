import Foundation
import Logging

/// Writes one JSON object per line, for machine-readable logs.
struct JSONLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level = .info
    private let label: String
    private let now: @Sendable () -> Date
    private let write: @Sendable (Data) -> Void

    /// - Parameter write: Writes one complete line.
    init(
        metadataProvider: Logger.MetadataProvider? = nil, label: String, now: @escaping @Sendable () -> Date,
        write: @escaping @Sendable (Data) -> Void
    ) {
        self.metadataProvider = metadataProvider
        self.label = label
        self.now = now
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields: [String: JSONLogValue] = [
            "time": .text(now().formatted(Self.time)), "level": .text(event.level.rawValue),
            "message": .text("\(event.message)"), "logger": .text(label),
        ]
        if let error = event.error { fields["error"] = .text("\(error)") }
        let given = metadata.merging(metadataProvider?.get() ?? [:]) { _, new in new }
            .merging(event.metadata ?? [:]) { _, new in new }
        for (key, value) in given {
            // Built-in field names are reserved.
            fields[fields[key] == nil ? key : "metadata.\(key)"] = JSONLogValue(value)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard var line = try? encoder.encode(fields) else { return }
        line.append(UInt8(ascii: "\n"))
        write(line)
    }

    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
