import NIOCore
import PhotoCatalog
import PhotolalaAPI
import Synchronization

/// The state that a device keeps of a folder between backups: the content of each file as long as its fingerprint is
/// unchanged, so that unchanged files are not read again. This is a cache: if it is lost or damaged, the next backup is
/// only slower.
///
/// New state is appended to a file immediately, so that a killed process loses only the operation in progress.
/// Incomplete rows are ignored when the file is read.
package final class BackupJournal: Sendable {
    struct Entry: Sendable, Equatable {
        let fingerprint: FileFingerprint
        let md5: ContentDigest
        let type: MediaType
        let facts: MediaFacts
        /// The content that was last seen in the catalog at this path.
        var committed: ContentDigest?
        /// Whether this device added it there, and no other device had.
        var isOwnAddition = false
        /// Whether it was permanently deleted from the library's trash.
        var isDeleted = false
    }

    struct State {
        var entries: [LibraryPath: Entry] = [:]
        /// Files that were opened and do not belong to the library.
        var nonMedia: [LibraryPath: FileFingerprint] = [:]
        var checkedDay: Int?
        /// Rows in the file, including obsolete ones.
        var rows = 0
        /// `nil` if nothing is stored, or another process writes the file.
        var file: JournalFile?

        mutating func write(_ rows: [JournalRow]) {
            guard let file, !rows.isEmpty else { return }
            // A full disk makes the next backup slower, and does not stop this one.
            do { try file.append(JournalRow.lines(of: rows)) } catch { self.file = nil }
            self.rows += rows.count
        }
    }

    let state: Mutex<State>

    init(_ rows: JournalRows, file: JournalFile?) {
        var state = State(file: file)
        for row in rows.all {
            switch row {
            case .file(let path, let entry): state.entries[path] = entry
            case .nonMedia(let path, let fingerprint): state.nonMedia[path] = fingerprint
            case .checked(let day): state.checkedDay = day
            case .removed(let path): (state.entries[path], state.nonMedia[path]) = (nil, nil)
            }
        }
        state.rows = rows.count
        self.state = Mutex(state)
    }

    /// The recorded state of each file.
    var entries: [LibraryPath: Entry] { state.withLock { $0.entries } }

    /// Returns the entry of a file whose fingerprint has not changed.
    func unchanged(_ path: LibraryPath, _ fingerprint: FileFingerprint) -> Entry? {
        state.withLock { $0.entries[path] }.flatMap { $0.fingerprint == fingerprint ? $0 : nil }
    }

    /// Returns the entry of a file.
    func entry(_ path: LibraryPath) -> Entry? { state.withLock { $0.entries[path] } }

    /// Returns the fingerprint of a file that was found not to belong to the library.
    func nonMediaFingerprint(_ path: LibraryPath) -> FileFingerprint? { state.withLock { $0.nonMedia[path] } }

    /// Returns whether an unchanged file was found not to belong to the library.
    func isNonMedia(_ path: LibraryPath, _ fingerprint: FileFingerprint) -> Bool {
        state.withLock { $0.nonMedia[path] } == fingerprint
    }

    /// Returns the content that was last seen in the catalog at a path.
    func committed(_ path: LibraryPath) -> ContentDigest? { state.withLock { $0.entries[path]?.committed } }

    /// Returns the content that was last seen in the catalog at a path, if this device added it.
    func ownAddition(_ path: LibraryPath) -> ContentDigest? {
        state.withLock { $0.entries[path] }.flatMap { $0.isOwnAddition ? $0.committed : nil }
    }

    /// Records an inspection. If the file is not an edit of the content that this device had added at its path, that
    /// content no longer counts as added by this device: a camera may reuse file names, and so may another card.
    func record(_ file: ScannedFile, _ inspection: FileInspection) {
        state.withLock { state in
            let before = state.entries[file.path]
            let isSame = before.map { $0.md5 == inspection.md5 || inspection.facts.mayBeEditOf($0.facts) } ?? false
            let entry = Entry(
                fingerprint: inspection.fingerprint, md5: inspection.md5, type: file.type, facts: inspection.facts,
                committed: before?.committed, isOwnAddition: isSame && before?.isOwnAddition ?? false,
                isDeleted: before?.md5 == inspection.md5 && before?.isDeleted ?? false
            )
            state.entries[file.path] = entry
            state.write([.file(file.path, entry)])
        }
    }

    func recordNonMedia(_ files: [(path: LibraryPath, fingerprint: FileFingerprint)]) {
        state.withLock { state in
            for file in files { state.nonMedia[file.path] = file.fingerprint }
            state.write(files.map { .nonMedia($0.path, $0.fingerprint) })
        }
    }

    /// The day, counted from 1970, of the last backup that checked that day's share of stored contents.
    var checkedDay: Int? { state.withLock { $0.checkedDay } }

    func recordChecked(day: Int) {
        state.withLock { state in
            guard state.checkedDay != day else { return }
            state.checkedDay = day
            state.write([.checked(day: day)])
        }
    }

    /// - Parameter isOwnAddition: Whether this device added it there. Once set, it remains set for the same content.
    func markCommitted(_ path: LibraryPath, _ md5: ContentDigest, isOwnAddition: Bool) {
        state.withLock { state in
            guard var entry = state.entries[path] else { return }
            let before = entry
            entry.isOwnAddition = isOwnAddition || (entry.committed == md5 && entry.isOwnAddition)
            entry.committed = md5
            guard entry != before else { return }
            state.entries[path] = entry
            state.write([.file(path, entry)])
        }
    }

    /// Returns whether a content was permanently deleted from the trash, as of the last check.
    func isDeleted(_ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        state.withLock { $0.entries[path] }.map { $0.isDeleted && $0.md5 == md5 } ?? false
    }

    /// Whether any content is recorded as deleted.
    var hasDeleted: Bool { state.withLock { $0.entries.values.contains(where: \.isDeleted) } }

    /// Records whether a content was deleted. A deleted content no longer counts as added by this device, so that its
    /// successor is not an edit of it.
    func markDeleted(_ path: LibraryPath, _ isDeleted: Bool) {
        state.withLock { state in
            guard var entry = state.entries[path], entry.isDeleted != isDeleted else { return }
            entry.isDeleted = isDeleted
            if isDeleted { (entry.committed, entry.isOwnAddition) = (nil, false) }
            state.entries[path] = entry
            state.write([.file(path, entry)])
        }
    }

    func forgetCommitted(_ path: LibraryPath) {
        state.withLock { state in
            guard var entry = state.entries[path], entry.committed != nil else { return }
            (entry.committed, entry.isOwnAddition) = (nil, false)
            state.entries[path] = entry
            state.write([.file(path, entry)])
        }
    }

    /// Removes the committed state of contents that are not in the catalog.
    func forgetCommitted(where isMissing: (LibraryPath, ContentDigest) -> Bool) {
        for (path, entry) in entries {
            if let committed = entry.committed, isMissing(path, committed) { forgetCommitted(path) }
        }
    }

    /// The contents that were seen in the catalog, with their lengths in bytes.
    var committedContents: [ContentDigest: Int64] {
        let committed = entries.values.lazy.filter { $0.committed == $0.md5 }
        return Dictionary(committed.map { ($0.md5, $0.fingerprint.size) }, uniquingKeysWith: { $1 })
    }

    /// Copies what another journal records about files that are unknown here, without their committed state.
    func importEntries(from other: BackupJournal) {
        let (entries, foreign) = other.state.withLock { ($0.entries, $0.nonMedia) }
        state.withLock { state in
            for (path, entry) in entries where state.entries[path] == nil {
                let known = Entry(fingerprint: entry.fingerprint, md5: entry.md5, type: entry.type, facts: entry.facts)
                state.entries[path] = known
                state.write([.file(path, known)])
            }
            for (path, fingerprint) in foreign where state.nonMedia[path] == nil {
                state.nonMedia[path] = fingerprint
                state.write([.nonMedia(path, fingerprint)])
            }
        }
    }

    /// Whether the journal contains no files.
    var isEmpty: Bool { state.withLock { $0.entries.isEmpty && $0.nonMedia.isEmpty } }

    /// Removes the entries of files that no longer exist: a new file with the same name is not an edit of the old one.
    /// - Parameter unseen: Paths that could not be read. Files at or below them are treated as existing.
    func retainOnly(_ paths: Set<LibraryPath>, unseen: [ScanProblem]) {
        let hidden = Set(unseen.compactMap { LibraryPath($0.path) })
        state.withLock { state in
            let known = Set(state.entries.keys).union(state.nonMedia.keys)
            let removed = known.subtracting(paths).filter { path in !path.isAtOrBelow(hidden) }
            for path in removed { (state.entries[path], state.nonMedia[path]) = (nil, nil) }
            state.write(removed.map { .removed($0) })
        }
    }

    /// Keeps what is known of the files, but new files at their paths no longer count as edits of them.
    func clearOwnAdditions(where isAffected: (LibraryPath) -> Bool = { _ in true }) {
        state.withLock { state in
            var rows: [JournalRow] = []
            for (path, var entry) in state.entries where entry.isOwnAddition && isAffected(path) {
                entry.isOwnAddition = false
                state.entries[path] = entry
                rows.append(.file(path, entry))
            }
            state.write(rows)
        }
    }
}

extension MediaFacts {
    /// Returns whether a photo may be an edit of another one, by capture time. Edits keep the capture time, but may
    /// lose fractional seconds or the UTC offset.
    func mayBeEditOf(_ other: MediaFacts) -> Bool {
        guard let taken, let earlier = other.taken else { return taken == other.taken }
        return taken.moment.seconds == earlier.moment.seconds || taken.clock.seconds == earlier.clock.seconds
    }
}
