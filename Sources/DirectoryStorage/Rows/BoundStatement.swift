import GRDB
import GRDBSQLite
import NIOCore

/// A cached statement that binds and reads values without boxing: several of them run in every request.
///
/// Parameter indices start at 1 and column indices at 0, as in SQLite.
struct BoundStatement {
    /// SQLite copies the bound value.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    /// SQLite reads the bound value in place.
    private static let borrowed: sqlite3_destructor_type? = nil

    private let statement: Statement
    private var pointer: OpaquePointer { statement.sqliteStatement }

    /// Passes a statement to the body and resets it afterwards. A statement that is not reset holds its snapshot.
    static func run<Value>(
        _ db: Database, _ sql: String, _ body: (BoundStatement) throws -> Value
    ) throws -> Value {
        let bound = BoundStatement(statement: try db.cachedStatement(sql: sql))
        defer {
            sqlite3_reset(bound.pointer)
            sqlite3_clear_bindings(bound.pointer)
        }
        return try body(bound)
    }

    /// Advances to the next row and returns whether there is one.
    func step() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let message = sqlite3_errmsg(sqlite3_db_handle(pointer)).map { String(cString: $0) }
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
    }

    /// The number of rows that the last statement of this connection changed.
    var changedRows: CInt { sqlite3_changes(sqlite3_db_handle(pointer)) }

    func bind(_ value: Int64?, at index: CInt) {
        guard let value else { return }
        sqlite3_bind_int64(pointer, index, value)
    }

    func bind(_ value: Double, at index: CInt) { sqlite3_bind_double(pointer, index, value) }

    func bind(_ text: String?, at index: CInt) {
        guard var text else { return }
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                _ = sqlite3_bind_text(pointer, index, characters.baseAddress, CInt(characters.count), Self.transient)
            }
        }
    }

    func bind(blob text: String, at index: CInt) {
        var text = text
        text.withUTF8 { bind(UnsafeRawBufferPointer($0), at: index, Self.transient) }
    }

    /// Binds a text as a blob without copying it, for the duration of the body.
    func withBound<Value>(blob text: String, at index: CInt, _ body: () throws -> Value) rethrows -> Value {
        var text = text
        return try text.withUTF8 { bytes in
            bind(UnsafeRawBufferPointer(bytes), at: index, Self.borrowed)
            return try body()
        }
    }

    /// Binds a text without copying it, for the duration of the body.
    func withBound<Value>(_ text: String, at index: CInt, _ body: () throws -> Value) rethrows -> Value {
        var text = text
        return try text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                _ = sqlite3_bind_text(pointer, index, characters.baseAddress, CInt(characters.count), Self.borrowed)
            }
            return try body()
        }
    }

    /// Binds bytes without copying them, for the duration of the body; `nil` binds nothing.
    func withBound<Value>(_ bytes: ByteBuffer?, at index: CInt, _ body: () throws -> Value) rethrows -> Value {
        guard let bytes else { return try body() }
        return try bytes.withUnsafeReadableBytes { bytes in
            bind(bytes, at: index, Self.borrowed)
            return try body()
        }
    }

    func bind(_ bytes: ByteBuffer?, at index: CInt) {
        bytes?.withUnsafeReadableBytes { bind($0, at: index, Self.transient) }
    }

    func int(_ column: CInt) -> Int64? {
        sqlite3_column_type(pointer, column) == SQLITE_NULL ? nil : sqlite3_column_int64(pointer, column)
    }

    func double(_ column: CInt) -> Double { sqlite3_column_double(pointer, column) }

    func text(_ column: CInt) -> String? {
        guard let start = sqlite3_column_text(pointer, column) else { return nil }
        let count = Int(sqlite3_column_bytes(pointer, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func bytes(_ column: CInt) -> ByteBuffer? {
        guard sqlite3_column_type(pointer, column) != SQLITE_NULL else { return nil }
        // SQLite returns no address for an empty blob.
        let start = sqlite3_column_blob(pointer, column)
        let count = Int(sqlite3_column_bytes(pointer, column))
        return ByteBuffer(bytes: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, at index: CInt, _ keeping: sqlite3_destructor_type?) {
        if bytes.isEmpty {
            // With a null address SQLite would bind NULL.
            sqlite3_bind_zeroblob(pointer, index, 0)
        } else {
            sqlite3_bind_blob(pointer, index, bytes.baseAddress, CInt(clamping: bytes.count), keeping)
        }
    }
}
