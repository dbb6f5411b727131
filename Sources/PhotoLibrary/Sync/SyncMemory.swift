import NIOCore
import PhotolalaAPI

/// This device's memory of what was in sync in one folder: lines that are appended as things are done, and put in order
/// when too many of them are of no use. Lost, a sync only adds, on both sides. All calls block.
struct SyncMemory: Sendable {
    private var file: JournalFile
    private(set) var files: SyncedFiles
    /// The mark in the folder that it was.
    private(set) var mark: String?
    /// The snapshot with which all was equal, as long as nothing was done since.
    private(set) var equal: ContentDigest?
    /// How many left the folder on a day, counted from 1970, and went to the library's trash.
    private var lost: [Int: Int] = [:]

    /// Opens it for one sync, making it where it is missing.
    /// - Throws: `exists` while another sync of the folder has it.
    init(_ path: String) throws(FileError) {
        file = try JournalFile(path)
        files = SyncedFiles()
        var lines = 0
        try JournalFile.forEachLine(of: path) { line in
            lines += 1
            guard let row = SyncRow(line: line) else { return }
            files.append(row)
            note(row)
        }
        files.putInOrder()
        // Most of the lines may be of no use any more.
        if lines > 2 * files.count + 1000 { try rewrite() }
    }

    /// The state file for one user's sync of one folder.
    static func path(in stateFolder: String, user: UserID, root: String) -> String {
        let name = ContentDigest(of: ByteBuffer(string: "\(user)\n\(root)"))
        return "\(stateFolder)/sync-\(name).journal"
    }

    /// Ends this sync: another one may have it, whoever still holds it here.
    func close() { file.unlock() }

    /// Notes what was done or is about to be done. It counts in `files` from the next `learn` on.
    func write(_ rows: [SyncRow]) throws(FileError) {
        guard !rows.isEmpty else { return }
        try file.append(Self.text(of: rows))
    }

    /// The same for what has to outlive a power cut before it is done.
    func announce(_ rows: [SyncRow]) throws(FileError) {
        guard !rows.isEmpty else { return }
        try write(rows)
        try file.sync()
    }

    /// Notes what was done, and knows it.
    mutating func learn(_ rows: [SyncRow]) throws(FileError) {
        try write(rows)
        files.learn(rows)
        for row in rows { note(row) }
    }

    private mutating func note(_ row: SyncRow) {
        switch row {
        case .inSync, .gone: equal = nil
        case .folder(let text): mark = text
        case .equal(let snapshot): equal = snapshot
        case .lost(let count, let day): lost[day] = count
        }
    }

    /// How many went to the library's trash on a day and the one before: a day's length is not known by less.
    func lost(by day: Int) -> Int { (lost[day - 1] ?? 0) + (lost[day] ?? 0) }

    /// The rows that say how many have left by now.
    /// - Parameter count: of this time; `nil` where all that left was meant.
    func losing(_ count: Int?, on day: Int) -> [SyncRow] {
        guard let count else { return [day - 1, day].filter { lost[$0] ?? 0 > 0 }.map { .lost(0, day: $0) } }
        return count > 0 ? [.lost((lost[day] ?? 0) + count, day: day)] : []
    }

    /// Knows nothing any more: it was about another folder. Until `rewrite` that stands nowhere.
    mutating func forget() {
        (files, mark, equal, lost) = (SyncedFiles(), nil, nil, [:])
    }

    /// Writes it anew, in order.
    mutating func rewrite() throws(FileError) {
        var text: [UInt8] = []
        for file in files { SyncRow.inSync(file).write(to: &text) }
        if let mark { SyncRow.folder(mark).write(to: &text) }
        for (day, count) in lost.sorted(by: { $0.key < $1.key }).suffix(2) {
            SyncRow.lost(count, day: day).write(to: &text)
        }
        if let equal { SyncRow.equal(equal).write(to: &text) }
        file = try file.replaced(with: ByteBuffer(bytes: text))
    }

    private static func text(of rows: [SyncRow]) -> ByteBuffer {
        var text: [UInt8] = []
        for row in rows { row.write(to: &text) }
        return ByteBuffer(bytes: text)
    }
}
