import NIOCore
import PhotoCatalog
import PhotolalaAPI

/// This device's record of what was in sync in one folder. Rows are appended as work is done, and the file is rewritten
/// when too many rows are obsolete. If it is lost, the next sync only adds files, on both sides. All calls block.
struct SyncState: Sendable {
    let path: String
    /// `nil` if the record is only read.
    private var file: JournalFile?
    private(set) var files: SyncedFiles
    /// The marker of the folder.
    private(set) var markerText: String?
    /// The snapshot with which everything was equal; `nil` after any later change.
    private(set) var equal: ContentDigest?
    /// For each day, counted from 1970, the number of files missing in the folder whose entries were moved to the
    /// library's trash.
    private var removedCounts: [Int: Int] = [:]

    private var areDownloadsConfirmed: Bool?

    /// Whether downloads to the folder still need confirmation.
    var needsConfirmation: Bool { !(areDownloadsConfirmed ?? !files.isEmpty) }

    /// Opens the record for one sync, creating it if necessary.
    /// - Parameter isReadOnly: Whether the record is only read. Then nothing is created, locked or written.
    /// - Throws: `exists` while another sync of the folder has it open.
    init(_ path: String, isReadOnly: Bool = false) throws(FileError) {
        self.path = path
        file = isReadOnly ? nil : try JournalFile(path)
        files = SyncedFiles()
        var lines = 0
        do throws(FileError) {
            try JournalFile.forEachLine(of: path) { line in
                lines += 1
                guard let row = SyncRow(line: line) else { return }
                files.append(row)
                applyRow(row)
            }
        } catch {
            guard isReadOnly, error == .missing else { throw error }
        }
        files.putInOrder()
        // Most of the lines may be obsolete.
        if !isReadOnly, lines > 2 * files.count + 1000 { try rewrite() }
    }

    /// Returns the path of the state file for one user's sync of one folder.
    static func path(in stateFolder: String, user: UserID, root: String) -> String {
        let name = ContentDigest(of: ByteBuffer(string: "\(user)\n\(root)"))
        return "\(stateFolder)/sync-\(name).journal"
    }

    /// Releases the lock, even if the file is still referenced.
    func close() { file?.unlock() }

    /// Appends rows for work that was done or is about to be done. They are not applied to `files` until the record is
    /// opened again.
    func write(_ rows: [SyncRow]) throws(FileError) {
        guard !rows.isEmpty else { return }
        try file?.append(Self.text(of: rows))
    }

    /// Appends rows and flushes them to disk, for announcements that must survive a power failure.
    func recordIntent(_ rows: [SyncRow]) throws(FileError) {
        guard !rows.isEmpty else { return }
        try write(rows)
        try file?.sync()
    }

    /// Appends rows for work that was done and applies them to `files`.
    mutating func apply(_ rows: [SyncRow]) throws(FileError) {
        try write(rows)
        files.apply(rows)
        for row in rows { applyRow(row) }
    }

    private mutating func applyRow(_ row: SyncRow) {
        switch row {
        case .inSync, .removed: equal = nil
        case .folder(let text): markerText = text
        case .equal(let snapshot): equal = snapshot
        case .removedCount(let count, let day): removedCounts[day] = count
        case .downloads(let isConfirmed): areDownloadsConfirmed = isConfirmed
        }
    }

    /// Returns the number of losses on a day and the day before; both are needed to cover the last 24 hours.
    func removedCount(by day: Int) -> Int { (removedCounts[day - 1] ?? 0) + (removedCounts[day] ?? 0) }

    /// Returns the rows that record the losses.
    /// - Parameter count: The losses in this sync; `nil` if all were intended, which resets the counts.
    func removalRows(_ count: Int?, on day: Int) -> [SyncRow] {
        guard let count else {
            return [day - 1, day].filter { removedCounts[$0] ?? 0 > 0 }.map { .removedCount(0, day: $0) }
        }
        return count > 0 ? [.removedCount((removedCounts[day] ?? 0) + count, day: day)] : []
    }

    /// Clears the state in memory, because it belongs to another folder. The file is unchanged until `rewrite`.
    mutating func clear() {
        (files, markerText, equal, removedCounts) = (SyncedFiles(), nil, nil, [:])
        areDownloadsConfirmed = nil
    }

    /// Rewrites the file in order.
    mutating func rewrite() throws(FileError) {
        var text: [UInt8] = []
        for file in files { SyncRow.inSync(file).write(to: &text) }
        if let markerText { SyncRow.folder(markerText).write(to: &text) }
        for (day, count) in removedCounts.sorted(by: { $0.key < $1.key }).suffix(2) {
            SyncRow.removedCount(count, day: day).write(to: &text)
        }
        if let areDownloadsConfirmed { SyncRow.downloads(isConfirmed: areDownloadsConfirmed).write(to: &text) }
        if let equal { SyncRow.equal(equal).write(to: &text) }
        file = try file?.replaced(with: ByteBuffer(bytes: text))
    }

    private static func text(of rows: [SyncRow]) -> ByteBuffer {
        var text: [UInt8] = []
        for row in rows { row.write(to: &text) }
        return ByteBuffer(bytes: text)
    }
}
