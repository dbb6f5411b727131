import Foundation
import PhotoCatalog
import PhotolalaAPI
import Secrets
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A folder with a limited number of files and bytes, in one subfolder for each account. The least recently used files
/// are removed first.
///
/// The folder is the only index: a file's modification date is the time of its last use. Within one process, the
/// limits hold at any time. Each process counts the files of others when it removes some, so several together can
/// exceed the limits until then. Files that are not in an account's subfolder are never touched.
package final class DiskCache: Sendable {
    /// The maximum total size and number of files.
    package struct Limits: Sendable {
        package let bytes: Int64
        package let files: Int

        package init(bytes: Int64, files: Int) { (self.bytes, self.files) = (bytes, files) }

        /// The limits down to which files are removed once a limit is reached, so that this is rare.
        fileprivate var afterRemoval: Limits { Limits(bytes: bytes - bytes / 10, files: files - files / 10) }

        fileprivate func allow(_ usage: Usage) -> Bool { usage.bytes <= bytes && usage.files <= files }
    }

    package struct Usage: Sendable, Equatable {
        package var bytes: Int64 = 0
        package var files = 0

        package init(bytes: Int64 = 0, files: Int = 0) { (self.bytes, self.files) = (bytes, files) }

        fileprivate func adding(_ bytes: Int64, files: Int = 1) -> Usage {
            Usage(bytes: self.bytes.addingCapped(bytes), files: self.files + files)
        }
    }

    /// Space for a file that is being written.
    struct Reservation: Sendable {
        fileprivate let id: Int
        /// The path of the incomplete file.
        let path: String
    }

    private struct File {
        let path: String
        let bytes: Int64
        let used: Timestamp
    }

    private struct State {
        var nextID = 0
        /// The files in the folder without those being written; `nil` before they are counted.
        var stored: Usage?
        var pending: [Int: (path: String, bytes: Int64)] = [:]
        /// The originals whose digest this process has checked, with their state at that time.
        var verified: [String: FileFingerprint] = [:]

        /// The usage if this many bytes are added to the folder's files.
        func usage(_ stored: Usage, adding bytes: Int64) -> Usage {
            pending.values.reduce(stored.adding(bytes)) { $0.adding($1.bytes) }
        }
    }

    let folder: String
    let limits: Limits
    let randomness: Randomness
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// Creates the folder if it does not exist. Blocks.
    package init(
        folder: String, limits: Limits, randomness: Randomness = .system, now: @escaping @Sendable () -> Date
    ) throws(FileError) {
        self.limits = limits
        self.randomness = randomness
        self.now = now
        try LocalFolder.create(folder)
        self.folder = try LocalFolder.resolve(folder)
    }

    /// Counts the files of all accounts.
    package func usage() async throws(FileError) -> Usage {
        try await FileWork.run { [self] () throws(FileError) in Self.usage(of: try files()) }
    }

    /// Removes the files of all accounts, also those in use.
    /// - Throws: The first error, after all files were tried.
    package func removeAll() async throws(FileError) {
        try await FileWork.run { [self] () throws(FileError) in
            try state.withLock { state throws(FileError) in
                (state.stored, state.verified) = (nil, [:])
                let root = try FolderHandle(folder)
                var failure: FileError?
                for account in try accounts() {
                    do throws(FileError) {
                        let handle = try root.descend([account], makes: false)
                        for name in try names(of: account) {
                            if let error = handle.remove(name) { failure = failure ?? error }
                        }
                        root.removeEmpty([account])
                    } catch {
                        // Something else with the name of an account is not a part of the cache.
                        if error != .wrongKind, error != .missing { failure = failure ?? error }
                    }
                }
                if let failure { throw failure }
            }
        }
    }

    /// Returns the folder of an account.
    func folder(of user: UserID) -> String { "\(folder)/\(user)" }

    /// Creates the folder of an account if it does not exist. Blocks.
    /// - Throws: An error if the name refers to something else, or to a link, which could lead out of the cache.
    func makeFolder(of user: UserID) throws(FileError) {
        try LocalFolder.create(folder(of: user))
        _ = try FolderHandle(folder).descend([user.description], makes: false)
    }

    /// The time of use to record in a file's modification date.
    var moment: Timestamp {
        let time = now().timeIntervalSince1970
        let seconds = min(max(time.rounded(.down), -1e15), 1e15)
        return Timestamp(seconds: Int64(seconds), nanoseconds: Int64((time - seconds) * 1e9))
    }

    /// Records the use of an open file.
    func touch(_ file: OpenFile) {
        let time = moment.timespec
        _ = futimens(file.descriptor, [time, time])
    }

    /// Reserves space for a file, and removes others if necessary. Blocks.
    /// - Parameter path: The path under which the file is written before it is complete.
    /// - Returns: `nil` if there is no room, because the file is larger than the cache or too many files are in use.
    func reserve(_ bytes: Int64, for path: String) throws(FileError) -> Reservation? {
        guard bytes <= limits.bytes else { return nil }
        return try state.withLock { state throws(FileError) in
            var stored: Usage
            if let known = state.stored { stored = known } else { stored = Self.usage(of: try files()) }
            if !limits.allow(state.usage(stored, adding: bytes)) { stored = try makeRoom(for: bytes, &state) }
            state.stored = stored
            guard limits.allow(state.usage(stored, adding: bytes)) else { return nil }
            defer { state.nextID += 1 }
            state.pending[state.nextID] = (path, bytes)
            return Reservation(id: state.nextID, path: path)
        }
    }

    /// Ends a reservation and counts what is stored instead. Blocks.
    /// - Parameter path: The path of the complete file.
    func finish(_ reservation: Reservation, as path: String) {
        state.withLock { state in
            state.pending[reservation.id] = nil
            for path in [reservation.path, path] {
                guard let size = try? OpenFile(path).fingerprint().size else { continue }
                state.stored = state.stored?.adding(size)
            }
        }
    }

    /// Removes a file that is damaged, unless another one has got its name. Blocks.
    func discard(_ path: String, _ file: OpenFile) {
        guard let found = try? file.fingerprint(), let named = try? OpenFile(path).fingerprint(),
            named == found, unlink(path) == 0
        else { return }
        state.withLock { state in
            state.verified[path] = nil
            state.stored = state.stored?.adding(-found.size, files: -1)
        }
    }

    /// Returns whether this process has checked a file's digest, and the file has not changed since.
    func isVerified(_ path: String, _ fingerprint: FileFingerprint) -> Bool {
        state.withLock { $0.verified[path] == fingerprint }
    }

    func recordVerified(_ path: String, _ fingerprint: FileFingerprint) {
        state.withLock { $0.verified[path] = fingerprint }
    }

    /// Counts the files and removes the least recently used ones if that is necessary for a file of this size. Removes
    /// nothing if that would not suffice.
    /// - Returns: The usage of the remaining files.
    private func makeRoom(for bytes: Int64, _ state: inout State) throws(FileError) -> Usage {
        let pending = Set(state.pending.values.map(\.path))
        let found = try files().filter { !pending.contains($0.path) }
        var stored = Self.usage(of: found)
        guard !limits.allow(state.usage(stored, adding: bytes)) else { return stored }
        let oldestFirst = found.sorted { ($0.used, $0.path) < ($1.used, $1.path) }
        var remaining = stored
        for file in oldestFirst {
            guard !limits.allow(state.usage(remaining, adding: bytes)) else { break }
            if !Self.isInUse(file.path) { remaining = remaining.adding(-file.bytes, files: -1) }
        }
        guard limits.allow(state.usage(remaining, adding: bytes)) else { return stored }
        for file in oldestFirst {
            guard !limits.afterRemoval.allow(state.usage(stored, adding: bytes)) else { break }
            guard Self.removeUnlessUsed(file.path) else { continue }
            state.verified[file.path] = nil
            stored = stored.adding(-file.bytes, files: -1)
        }
        return stored
    }

    /// Returns whether a file is locked: by its writer, or by a user of the original in it.
    private static func isInUse(_ path: String) -> Bool {
        guard let file = try? OpenFile(path) else { return false }
        return isLocked(file)
    }

    private static func isLocked(_ file: OpenFile) -> Bool {
        flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Removes a file unless it is in use.
    private static func removeUnlessUsed(_ path: String) -> Bool {
        // Open until the name is gone, so that the lock excludes a user who opens it now.
        let file = try? OpenFile(path)
        if let file, isLocked(file) { return false }
        return withExtendedLifetime(file) { unlink(path) == 0 || errno == ENOENT }
    }

    private static func usage(of files: [File]) -> Usage { files.reduce(Usage()) { $0.adding($1.bytes) } }

    /// Lists the files of all accounts. Costs one system call for each.
    private func files() throws(FileError) -> [File] {
        let root = try FolderHandle(folder)
        var files: [File] = []
        for account in try accounts() {
            guard let handle = try? root.descend([account], makes: false) else { continue }
            for name in try names(of: account) {
                // It may have been removed since it was listed.
                guard let fingerprint = try handle.fingerprint(of: name) else { continue }
                let path = "\(folder)/\(account)/\(name)"
                files.append(File(path: path, bytes: fingerprint.size, used: fingerprint.modified))
            }
        }
        return files
    }

    private func accounts() throws(FileError) -> [String] {
        try FolderListing.names(of: folder).map { String(decoding: $0, as: UTF8.self) }
            .filter { UserID($0)?.description == $0 }
    }

    private func names(of account: String) throws(FileError) -> [String] {
        do throws(FileError) {
            return try FolderListing.names(of: "\(folder)/\(account)").map { String(decoding: $0, as: UTF8.self) }
        } catch {
            guard error == .missing || error == .wrongKind else { throw error }
            return []
        }
    }
}
