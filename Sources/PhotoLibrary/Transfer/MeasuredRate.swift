import Foundation
import NIOCore
import PhotolalaAPI

/// How fast this device last sent photos to a server's store.
package struct MeasuredRate: Codable, Equatable, Sendable {
    /// Fewer bytes tell more of the way there and back than of the line.
    static let least: Int64 = 4 << 20
    /// Seconds after which it may be another network.
    private static let age = 7.0 * 86_400

    package let bytesPerSecond: Double
    package let measuredAt: Date
    /// The server's address.
    package let server: String

    /// `nil` where too little was sent to tell.
    package init?(bytes: Int64, seconds: Double, measuredAt: Date, server: String) {
        guard bytes >= Self.least, seconds > 0 else { return nil }
        bytesPerSecond = Double(bytes) / seconds
        self.measuredAt = measuredAt
        self.server = server
    }

    /// The last one, unless it is of another server, too old or from the future. Blocks.
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
