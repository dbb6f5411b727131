import Foundation
import NIOCore
import PhotolalaAPI

/// The upload rate of this device in its last transfer to a server's store.
package struct MeasuredRate: Codable, Equatable, Sendable {
    /// The minimum number of bytes; smaller transfers measure latency more than bandwidth.
    static let least: Int64 = 4 << 20
    /// The maximum age in seconds; after that, the network may be another one.
    private static let age = 7.0 * 86_400

    package let bytesPerSecond: Double
    package let measuredAt: Date
    /// The address of the server.
    package let server: String

    /// Returns `nil` if fewer than `least` bytes were sent.
    package init?(bytes: Int64, seconds: Double, measuredAt: Date, server: String) {
        guard bytes >= Self.least, seconds > 0 else { return nil }
        bytesPerSecond = Double(bytes) / seconds
        self.measuredAt = measuredAt
        self.server = server
    }

    /// Loads the last rate, unless it is for another server, too old or from the future. Blocks.
    package static func load(in stateFolder: String, server: String, now: Date) -> MeasuredRate? {
        guard let bytes = try? StateFile.read(path(in: stateFolder)),
            let rate = try? WireJSON.decoder().decode(MeasuredRate.self, from: Data(bytes.readableBytesView)),
            (0...age).contains(now.timeIntervalSince(rate.measuredAt)), rate.bytesPerSecond >= 1,
            rate.server == server
        else { return nil }
        return rate
    }

    package func save(in stateFolder: String) async throws(FileError) {
        guard let bytes = try? WireJSON.encoder().encode(self) else { throw .unsupported }
        try await FileWork.run { () throws(FileError) in
            try LocalFolder.create(stateFolder)
            try StateFile.replace(Self.path(in: stateFolder), with: ByteBuffer(bytes: bytes))
        }
    }

    private static func path(in stateFolder: String) -> String { "\(stateFolder)/rate.json" }
}
