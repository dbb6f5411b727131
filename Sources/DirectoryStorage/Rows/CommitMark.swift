import Foundation
import Logging
import ObjectStorage
import Synchronization

/// The number of the last commit of a database, in a file of its own. A database that opens with an earlier commit has
/// lost some: its write-ahead log is missing or damaged, and SQLite alone would go back in time without a word.
///
/// It is written after each commit and not synced: a loss of power can leave an earlier number, never a later one.
final class CommitMark: Sendable {
    /// Digits of the number, a space, 8 hex digits of a checksum, a line end.
    private static let length = 30

    let path: String
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        var file: OpenFile?
        var last: Int64 = 0
    }

    /// - Parameter database: the path of the database's file.
    init(of database: String, logger: Logger) {
        path = "\(database).mark"
        self.logger = logger
    }

    /// The number that was recorded last; `nil` where there is no mark.
    func read() throws(ObjectStoreError) -> Int64? {
        guard let file = try OpenFile.reading(path), try file.fingerprint().size > 0 else { return nil }
        let text = String(buffer: try file.bytes(at: 0, count: Self.length))
        guard let count = Int64(text.prefix(20)), text == Self.text(count) else {
            throw .corrupted("\(path) is unreadable: look at \(path.dropLast(5)) and the disk before you delete it")
        }
        return count
    }

    /// Opens the file for `record`, and makes it durable with the count that the database has.
    func begin(at count: Int64) throws(ObjectStoreError) {
        let file = try OpenFile.writing(path)
        try file.overwrite(Self.text(count))
        try file.synchronize()
        state.withLock { $0 = State(file: file, last: count) }
    }

    /// Records a commit that is durable.
    func record(_ count: Int64) {
        state.withLock { state in
            guard let file = state.file, count > state.last else { return }
            do {
                try file.overwrite(Self.text(count))
                state.last = count
            } catch {
                logger.error("The commit mark cannot be written", metadata: ["cause": "\(error)"])
            }
        }
    }

    private static func text(_ count: Int64) -> String {
        let digits = String(count)
        let padded = String(repeating: "0", count: max(0, 20 - digits.count)) + digits
        let sum = padded.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let hex = String(sum, radix: 16)
        return "\(padded) \(String(repeating: "0", count: 8 - hex.count))\(hex)\n"
    }
}
