import Foundation
import Logging
import Monitoring
import ObjectStorage
import Synchronization

/// The number of a database's last commit, in a separate file. A database that opens at an earlier commit has lost
/// some: its write-ahead log is missing or damaged, and SQLite alone would silently open the older state.
///
/// A second line has the number of the last commit of the folder's other database: one that is put back alone is older than the
/// other one knows it. Each line is written after the commit that it names and not synced: a loss of power can leave an
/// earlier number, never a later one.
final class CommitMark: Sendable {
    struct Record: Equatable {
        let commits: Int64
        /// Of the other database; `nil` in a mark of an earlier version.
        let other: Int64?
    }

    /// Digits of the number, a space, 8 hex digits of a checksum, a line end.
    private static let length = 30

    let path: String
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        var file: OpenFile?
        var commits: Int64 = 0
        var other: Int64 = 0
    }

    /// - Parameter database: The path of the database file.
    init(of database: String, logger: Logger) {
        path = "\(database).mark"
        self.logger = logger
    }

    static func both(in root: String, logger: Logger) -> [DatabaseKind: CommitMark] {
        Dictionary(
            uniqueKeysWithValues: DatabaseKind.allCases.map {
                ($0, CommitMark(of: ObjectIndex.path(root, $0), logger: logger))
            })
    }

    var exists: Bool { ObjectIndex.size(path) > 0 }

    /// The numbers that were recorded last; `nil` where there is no mark.
    func read() throws(ObjectStoreError) -> Record? {
        guard let file = try OpenFile.reading(path) else { return nil }
        let size = try file.fingerprint().size
        guard size > 0 else { return nil }
        let commits = try number(file, at: 0)
        return Record(commits: commits, other: size > Self.length ? try number(file, at: Self.length) : nil)
    }

    private func number(_ file: OpenFile, at offset: Int) throws(ObjectStoreError) -> Int64 {
        let text = String(buffer: try file.bytes(at: Int64(offset), count: Self.length))
        guard let count = Int64(text.prefix(20)), text == Self.text(count) else {
            throw .corrupted("\(path) is unreadable. Check \(path.dropLast(5)) and the disk before deleting it")
        }
        return count
    }

    /// Opens the file for `record`, and makes it durable with the counts that the databases have.
    func begin(at count: Int64, other: Int64) throws(ObjectStoreError) {
        let file = try OpenFile.writing(path)
        try file.overwrite(Self.text(count) + Self.text(other))
        try file.synchronize()
        state.withLock { $0 = State(file: file, commits: count, other: other) }
    }

    /// Records a commit that is durable.
    func record(_ count: Int64) { record(count, \.commits, at: 0) }

    /// Records a commit of the other database that is durable. The first line is left alone: other processes write it, too.
    func record(other count: Int64) { record(count, \.other, at: Self.length) }

    private func record(_ count: Int64, _ last: WritableKeyPath<State, Int64>, at offset: Int) {
        state.withLock { state in
            guard let file = state.file, count > state[keyPath: last] else { return }
            do {
                try file.overwrite(Self.text(count), at: offset)
                state[keyPath: last] = count
            } catch {
                logger.error(.commitMarkFailed, "writing the commit mark failed", metadata: ["cause": "\(error)"])
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
