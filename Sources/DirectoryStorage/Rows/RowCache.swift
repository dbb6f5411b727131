import NIOCore
import ObjectStorage
import Synchronization

/// The rows of a database that were read or written last, and its last short listings and totals.
///
/// An entry is used only while the header of the log's index is the one with which it was read, so every commit of
/// another process empties the cache. A commit of this process replaces the rows that it changed.
final class RowCache: Sendable {
    /// The sizes of a generation in bytes; there are two of each.
    struct Capacity {
        let rows: Int
        /// Of listings, and of totals.
        let sums: Int

        /// The rows of a thousand people who use the service at once.
        static let accounts = Capacity(rows: 4 << 20, sums: 1 << 20)
        /// Their totals, and some files.
        static let users = Capacity(rows: 1 << 20, sums: 2 << 20)
    }

    /// Rough numbers of bytes that an entry takes beside its key and bytes.
    fileprivate static let (rowSize, sumSize) = (512, 256)
    /// The largest row that is kept, in bytes.
    fileprivate static let maximumRowSize = 64 << 10
    /// The longest listing that is kept.
    fileprivate static let maximumPage = 128

    fileprivate struct State {
        var address: LogIndexHeader.Address?
        /// The header for which all entries are right.
        var header: LogIndexHeader?
        /// The header before the running commit of this process.
        var headerBeforeCommit: LogIndexHeader?
        var rows: RecentValues<ObjectKey, ObjectRow?>
        // By bytes, as keys are: texts that Unicode takes for equal name different objects.
        var pages: RecentValues<ObjectKey, ObjectPage>
        var totals: RecentValues<ObjectKey, ObjectTotals>

        init(_ address: LogIndexHeader.Address?, _ capacity: Capacity) {
            self.address = address
            rows = RecentValues(capacity: capacity.rows)
            (pages, totals) = (RecentValues(capacity: capacity.sums), RecentValues(capacity: capacity.sums))
        }

        /// The current header; `nil` once the cache is closed.
        var current: LogIndexHeader? { address?.read() }
    }

    /// What the cache knows.
    enum Lookup<Value> {
        case found(Value)
        /// The value must be read; a value read after this header may be inserted.
        case unknown(LogIndexHeader?)
    }

    private let state: Mutex<State>

    /// - Parameter address: Where the database's log has its header; valid until `close`.
    init(_ address: LogIndexHeader.Address, _ capacity: Capacity) {
        state = Mutex(State(address, capacity))
    }

    /// Ends the use of the header's address.
    func close() {
        state.withLock { state in
            state.address = nil
            state.removeAll()
        }
    }

    /// Returns a row with its bytes; `nil` if there is none.
    func row(_ key: ObjectKey) -> Lookup<ObjectRow?> {
        state.withLock { state in
            let current = state.current
            guard let current, state.header == current, let row = state.rows.value(key) else {
                return .unknown(current)
            }
            return .found(row)
        }
    }

    /// Returns the complete listing below a prefix.
    func page(below prefix: String) -> Lookup<ObjectPage> {
        state.withLock { state in
            let current = state.current
            guard let current, state.header == current, let page = state.pages.value(ObjectKey(known: prefix)) else {
                return .unknown(current)
            }
            return .found(page)
        }
    }

    /// Returns the totals below each prefix.
    func totals(below prefixes: [String]) -> Lookup<[ObjectTotals]> {
        state.withLock { state in
            let current = state.current
            guard let current, state.header == current else { return .unknown(current) }
            var totals: [ObjectTotals] = []
            for prefix in prefixes {
                guard let total = state.totals.value(ObjectKey(known: prefix)) else { return .unknown(current) }
                totals.append(total)
            }
            return .found(totals)
        }
    }

    /// Adds a row with its bytes, or the fact that there is none, unless a commit happened since it was looked up.
    func insert(_ row: ObjectRow?, at key: ObjectKey, readAfter header: LogIndexHeader?) {
        state.withLock { state in if state.accepts(header) { state.insert(row, at: key) } }
    }

    /// Adds a complete listing, unless a commit happened since it was looked up.
    func insert(_ page: ObjectPage, below prefix: String, readAfter header: LogIndexHeader?) {
        guard page.objects.count <= Self.maximumPage, !page.isTruncated else { return }
        let size = page.objects.reduce(Self.sumSize) { $0 + Self.sumSize + $1.key.description.utf8.count }
        state.withLock { state in
            if state.accepts(header) {
                state.pages.insert(page, at: ObjectKey(known: prefix), cost: size + prefix.utf8.count)
            }
        }
    }

    /// Adds the totals below prefixes that end in a slash, unless a commit happened since they were looked up.
    func insert(_ totals: [ObjectTotals], below prefixes: [String], readAfter header: LogIndexHeader?) {
        state.withLock { state in
            guard state.accepts(header) else { return }
            for (total, prefix) in zip(totals, prefixes) {
                state.totals.insert(total, at: ObjectKey(known: prefix), cost: Self.sumSize + prefix.utf8.count)
            }
        }
    }

    /// Call it in a transaction that holds the lock between writers, before its changes.
    func willCommit() { state.withLock { $0.headerBeforeCommit = $0.current } }

    /// Call it after the transaction.
    /// - Parameters:
    ///   - changes: The changes whose conditions held, in order; `nil` if that is not known.
    ///   - isCommit: Whether the transaction wrote anything; otherwise the header stays as it is.
    func didCommit(_ changes: [RowChange]?, isCommit: Bool = true) {
        state.withLock { state in
            defer { state.headerBeforeCommit = nil }
            guard let changes, let before = state.headerBeforeCommit, let now = state.current,
                // No other process has committed since, so the entries are right but for the changes.
                state.header == before, isCommit ? now.commits == before.commits &+ 1 : now == before
            else { return state.removeAll() }
            for change in changes { state.apply(change) }
            state.header = now
        }
    }
}

extension RowCache.State {
    /// Returns whether a value that was read after a header is right together with the entries, which are removed if they
    /// belong to an earlier header.
    fileprivate mutating func accepts(_ read: LogIndexHeader?) -> Bool {
        guard let read, current == read else { return false }
        if header != read {
            // `didCommit` has yet to bring the entries up to this header.
            guard headerBeforeCommit == nil else { return false }
            removeAll()
            header = read
        }
        return true
    }

    fileprivate mutating func insert(_ row: ObjectRow?, at key: ObjectKey) {
        var (row, size) = (row, RowCache.rowSize + key.description.utf8.count)
        for (name, value) in row?.info.attributes ?? [:] { size += name.utf8.count + value.utf8.count }
        if let found = row, case .row(var bytes?) = found.location {
            let count = bytes.readableBytes
            guard count <= RowCache.maximumRowSize else { return rows.remove(key) }
            // A slice would keep all of the bytes it was taken from.
            if bytes.storageCapacity > 2 * count { bytes = ByteBuffer(bytes: bytes.readableBytesView) }
            row = ObjectRow(info: found.info, location: .row(bytes))
            size += count
        }
        rows.insert(row, at: key, cost: size)
    }

    fileprivate mutating func apply(_ change: RowChange) {
        switch change {
        case .put(let key, let row, _, _):
            insert(row, at: key)
            removeSums(over: key)
        case .delete(let key, _, _):
            insert(nil, at: key)
            removeSums(over: key)
        case .markInPlace(let key, _), .updateFingerprint(let key, _, _): rows.remove(key)
        case .markRemoved: break
        }
    }

    /// Listings and totals are kept for prefixes that end in a slash.
    private mutating func removeSums(over key: ObjectKey) {
        let text = key.description
        for index in text.utf8.indices where text.utf8[index] == UInt8(ascii: "/") {
            let prefix = ObjectKey(known: String(Substring(text.utf8[...index])))
            pages.remove(prefix)
            totals.remove(prefix)
        }
    }

    fileprivate mutating func removeAll() {
        rows.removeAll()
        pages.removeAll()
        totals.removeAll()
        header = nil
    }
}
