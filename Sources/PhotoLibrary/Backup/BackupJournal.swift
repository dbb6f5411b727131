import NIOCore
import PhotolalaAPI
import Synchronization

/// What this device remembers of a folder between backups: the content of each file as long as its stamp is the same,
/// so that unchanged files are not read again. A cache: lost or damaged, the next backup only takes longer.
///
/// What is learned is appended to a file at once, so that a process that is killed forgets only what it was about. A
/// row that did not get whole into the file is passed over when it is read.
package final class BackupJournal: Sendable {
    struct Entry: Sendable, Equatable {
        let stamp: FileStamp
        let md5: ContentDigest
        let type: MediaType
        let facts: MediaFacts
        /// The content that was last seen in the catalog at this path.
        var committed: ContentDigest?
        /// Whether this device brought it there, and no other one had.
        var isBrought = false
        /// Whether it was deleted from the library's trash for good.
        var isDeleted = false
    }

    struct State {
        var entries: [LibraryPath: Entry] = [:]
        /// Files that were opened and are none of the library's business.
        var foreign: [LibraryPath: FileStamp] = [:]
        var checkedDay: Int?
        /// Rows in the file, those that others have replaced included.
        var rows = 0
        /// `nil` when nobody is to remember, or somebody else writes.
        var file: JournalFile?

        mutating func write(_ rows: [JournalRow]) {
            guard let file, !rows.isEmpty else { return }
            // A full disk makes the next backup slower and is no reason to stop this one.
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
            case .foreign(let path, let stamp): state.foreign[path] = stamp
            case .checked(let day): state.checkedDay = day
            case .gone(let path): (state.entries[path], state.foreign[path]) = (nil, nil)
            }
        }
        state.rows = rows.count
        self.state = Mutex(state)
    }

    /// What is known of each file.
    var entries: [LibraryPath: Entry] { state.withLock { $0.entries } }

    /// The entry of a file that was not touched since.
    func unchanged(_ path: LibraryPath, _ stamp: FileStamp) -> Entry? {
        state.withLock { $0.entries[path] }.flatMap { $0.stamp == stamp ? $0 : nil }
    }

    /// Whether a file that was not touched since was none of the library's business.
    func isForeign(_ path: LibraryPath, _ stamp: FileStamp) -> Bool {
        state.withLock { $0.foreign[path] } == stamp
    }

    /// What was last seen in the catalog at a path.
    func committed(_ path: LibraryPath) -> ContentDigest? { state.withLock { $0.entries[path]?.committed } }

    /// The same, where this device had brought it there.
    func brought(_ path: LibraryPath) -> ContentDigest? {
        state.withLock { $0.entries[path] }.flatMap { $0.isBrought ? $0.committed : nil }
    }

    /// What this device had brought to a path counts as brought no longer when a file is there that is no edit of it: the
    /// next photo of a camera that counts from one again, or that of another card.
    func record(_ file: ScannedFile, _ inspection: FileInspection) {
        state.withLock { state in
            let before = state.entries[file.path]
            let isSame = before.map { $0.md5 == inspection.md5 || inspection.facts.mayEdit($0.facts) } ?? false
            let entry = Entry(
                stamp: inspection.stamp, md5: inspection.md5, type: file.type, facts: inspection.facts,
                committed: before?.committed, isBrought: isSame && before?.isBrought ?? false,
                isDeleted: before?.md5 == inspection.md5 && before?.isDeleted ?? false
            )
            state.entries[file.path] = entry
            state.write([.file(file.path, entry)])
        }
    }

    func recordForeign(_ files: [(path: LibraryPath, stamp: FileStamp)]) {
        state.withLock { state in
            for file in files { state.foreign[file.path] = file.stamp }
            state.write(files.map { .foreign($0.path, $0.stamp) })
        }
    }

    /// The day, counted from 1970, of the last backup that asked the store for its share of that day.
    var checkedDay: Int? { state.withLock { $0.checkedDay } }

    func recordChecked(day: Int) {
        state.withLock { state in
            guard state.checkedDay != day else { return }
            state.checkedDay = day
            state.write([.checked(day: day)])
        }
    }

    /// - Parameter isBrought: whether this device brought it there; what it once brought stays brought.
    func markCommitted(_ path: LibraryPath, _ md5: ContentDigest, isBrought: Bool) {
        state.withLock { state in
            guard var entry = state.entries[path] else { return }
            let before = entry
            entry.isBrought = isBrought || (entry.committed == md5 && entry.isBrought)
            entry.committed = md5
            guard entry != before else { return }
            state.entries[path] = entry
            state.write([.file(path, entry)])
        }
    }

    /// Whether a content was deleted from the library's trash for good, when that was last looked at.
    func isDeleted(_ path: LibraryPath, _ md5: ContentDigest) -> Bool {
        state.withLock { $0.entries[path] }.map { $0.isDeleted && $0.md5 == md5 } ?? false
    }

    /// Whether anything is known to be deleted.
    var hasDeleted: Bool { state.withLock { $0.entries.values.contains(where: \.isDeleted) } }

    /// What was deleted this device has not brought there any more: what comes in its place is no edit of it.
    func markDeleted(_ path: LibraryPath, _ isDeleted: Bool) {
        state.withLock { state in
            guard var entry = state.entries[path], entry.isDeleted != isDeleted else { return }
            entry.isDeleted = isDeleted
            if isDeleted { (entry.committed, entry.isBrought) = (nil, false) }
            state.entries[path] = entry
            state.write([.file(path, entry)])
        }
    }

    func forgetCommitted(_ path: LibraryPath) {
        state.withLock { state in
            guard var entry = state.entries[path], entry.committed != nil else { return }
            (entry.committed, entry.isBrought) = (nil, false)
            state.entries[path] = entry
            state.write([.file(path, entry)])
        }
    }

    /// Forgets what was seen in the catalog and is not there.
    func forgetCommitted(where isMissing: (LibraryPath, ContentDigest) -> Bool) {
        for (path, entry) in entries {
            if let committed = entry.committed, isMissing(path, committed) { forgetCommitted(path) }
        }
    }

    /// The contents that were seen in the catalog, with their lengths.
    var committedContents: [ContentDigest: Int64] {
        let committed = entries.values.lazy.filter { $0.committed == $0.md5 }
        return Dictionary(committed.map { ($0.md5, $0.stamp.size) }, uniquingKeysWith: { $1 })
    }

    /// Takes over what another journal knows of files that this one does not know, but not what was committed.
    func learn(from other: BackupJournal) {
        let (entries, foreign) = other.state.withLock { ($0.entries, $0.foreign) }
        state.withLock { state in
            for (path, entry) in entries where state.entries[path] == nil {
                let known = Entry(stamp: entry.stamp, md5: entry.md5, type: entry.type, facts: entry.facts)
                state.entries[path] = known
                state.write([.file(path, known)])
            }
            for (path, stamp) in foreign where state.foreign[path] == nil {
                state.foreign[path] = stamp
                state.write([.foreign(path, stamp)])
            }
        }
    }

    /// Whether nothing was ever learned.
    var isEmpty: Bool { state.withLock { $0.entries.isEmpty && $0.foreign.isEmpty } }

    /// Forgets what is not there any more: another file that gets such a name later is no edit of what had it.
    /// - Parameter unseen: what could not be looked at; what is there or below is still there.
    func keepOnly(_ paths: Set<LibraryPath>, unseen: [ScanProblem]) {
        let hidden = Set(unseen.compactMap { LibraryPath($0.path) })
        state.withLock { state in
            let known = Set(state.entries.keys).union(state.foreign.keys)
            let gone = known.subtracting(paths).filter { path in !path.isAtOrBelow(hidden) }
            for path in gone { (state.entries[path], state.foreign[path]) = (nil, nil) }
            state.write(gone.map { .gone($0) })
        }
    }

    /// What is known of the files stays, but whatever comes in their place is no edit of them.
    func disown() {
        state.withLock { state in
            var rows: [JournalRow] = []
            for (path, var entry) in state.entries where entry.isBrought {
                entry.isBrought = false
                state.entries[path] = entry
                rows.append(.file(path, entry))
            }
            state.write(rows)
        }
    }
}

extension MediaFacts {
    /// Whether a photo may be another one after an edit, by when they were taken: edits keep that, but not all of them
    /// the parts of a second, nor the offset.
    func mayEdit(_ other: MediaFacts) -> Bool {
        guard let taken, let earlier = other.taken else { return taken == other.taken }
        return taken.moment.seconds == earlier.moment.seconds || taken.clock.seconds == earlier.clock.seconds
    }
}
