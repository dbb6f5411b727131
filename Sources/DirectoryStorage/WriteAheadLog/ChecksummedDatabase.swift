import GRDBSQLite

/// A database file opened by SQLite. When pages are written, their unused bytes are cleared and they get a checksum,
/// which is verified when they are read. All other operations are forwarded to the underlying file.
struct ChecksummedDatabase {
    typealias File = UnsafeMutablePointer<sqlite3_file>

    /// The offset of the underlying file in SQLite's memory.
    static let size = MemoryLayout<ChecksummedDatabase>.stride

    /// SQLite finds the methods here: it must be the first member.
    private var head: sqlite3_file
    private let below: File
    /// The buffer for a page being written: SQLite's own copy must not change.
    private let page = UnsafeMutableRawBufferPointer.allocate(byteCount: ObjectIndexSchema.pageSize, alignment: 16)
    /// Whether a missing shared-memory index makes SQLite build one in memory: for read-only folders.
    private let mayLackSharedMemory: Bool
    private var lacksSharedMemory = false

    /// - Parameter file: The memory for this and the underlying file.
    static func open(
        _ file: File, of below: UnsafeMutablePointer<sqlite3_vfs>, _ name: UnsafePointer<CChar>?, _ flags: CInt,
        _ outFlags: UnsafeMutablePointer<CInt>?
    ) -> CInt {
        // Without methods SQLite does not close a file that was not opened.
        file.pointee.pMethods = nil
        let storage = UnsafeMutableRawPointer(file)
        let fileBelow = (storage + size).assumingMemoryBound(to: sqlite3_file.self)
        let code = below.pointee.xOpen(below, name, fileBelow, flags, outFlags)
        guard code == SQLITE_OK else { return code }
        let isReadOnly = name.map { sqlite3_uri_boolean($0, "readonly_shm", 0) != 0 } ?? false
        storage.bindMemory(to: ChecksummedDatabase.self, capacity: 1)
            .initialize(
                to: ChecksummedDatabase(
                    head: sqlite3_file(pMethods: methods), below: fileBelow, mayLackSharedMemory: isReadOnly))
        return SQLITE_OK
    }

    /// Never changed after initialization and never freed. Version 2: SQLite must not map the file, because mapped
    /// pages bypass `xRead`.
    nonisolated(unsafe) private static let methods: UnsafePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = 2
        setAccess(methods)
        setLocks(methods)
        setSharedMemory(methods)
        methods.pointee.xClose = { file in
            ChecksummedDatabase.with(file) { database in
                database.page.deallocate()
                return database.below.pointee.pMethods.pointee.xClose(database.below)
            }
        }
        return UnsafePointer(methods)
    }()

    private static func setAccess(_ methods: UnsafeMutablePointer<sqlite3_io_methods>) {
        methods.pointee.xRead = { file, bytes, count, offset in
            ChecksummedDatabase.with(file) { database in
                let code = database.below.pointee.pMethods.pointee.xRead(database.below, bytes, count, offset)
                guard code == SQLITE_OK, PageChecksum.covers(count: count, offset: offset) else { return code }
                let page = UnsafeRawBufferPointer(start: bytes, count: Int(count))
                return PageChecksum.isIntact(page, at: offset) ? SQLITE_OK : PageChecksum.mismatch
            }
        }
        methods.pointee.xWrite = { file, bytes, count, offset in
            ChecksummedDatabase.with(file) { database in
                let write = database.below.pointee.pMethods.pointee.xWrite
                guard let bytes, PageChecksum.covers(count: count, offset: offset) else {
                    return write?(database.below, bytes, count, offset) ?? SQLITE_MISUSE
                }
                database.page.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
                UnusedBytes.clear(in: database.page, at: offset)
                PageChecksum.store(in: database.page, at: offset)
                return write?(database.below, database.page.baseAddress, count, offset) ?? SQLITE_MISUSE
            }
        }
        methods.pointee.xTruncate = { file, size in
            ChecksummedDatabase.with(file) { $0.below.pointee.pMethods.pointee.xTruncate($0.below, size) }
        }
        methods.pointee.xSync = { file, flags in
            ChecksummedDatabase.with(file) { $0.below.pointee.pMethods.pointee.xSync($0.below, flags) }
        }
        methods.pointee.xFileSize = { file, size in
            ChecksummedDatabase.with(file) { $0.below.pointee.pMethods.pointee.xFileSize($0.below, size) }
        }
        methods.pointee.xFileControl = { file, operation, argument in
            ChecksummedDatabase.with(file) {
                $0.below.pointee.pMethods.pointee.xFileControl($0.below, operation, argument)
            }
        }
        methods.pointee.xSectorSize = { file in
            ChecksummedDatabase.with(file) { $0.below.pointee.pMethods.pointee.xSectorSize($0.below) }
        }
        methods.pointee.xDeviceCharacteristics = { file in
            ChecksummedDatabase.with(file) { $0.below.pointee.pMethods.pointee.xDeviceCharacteristics($0.below) }
        }
    }

    private static func setLocks(_ methods: UnsafeMutablePointer<sqlite3_io_methods>) {
        methods.pointee.xLock = { file, level in
            ChecksummedDatabase.with(file) { $0.below.pointee.pMethods.pointee.xLock($0.below, level) }
        }
        methods.pointee.xUnlock = { file, level in
            ChecksummedDatabase.with(file) { $0.below.pointee.pMethods.pointee.xUnlock($0.below, level) }
        }
        methods.pointee.xCheckReservedLock = { file, result in
            ChecksummedDatabase.with(file) { $0.below.pointee.pMethods.pointee.xCheckReservedLock($0.below, result) }
        }
    }

    /// The shared-memory index of the log. If it is missing and cannot be created, SQLite builds a private one from
    /// the log: no other process can have the database open then.
    private static func setSharedMemory(_ methods: UnsafeMutablePointer<sqlite3_io_methods>) {
        methods.pointee.xShmMap = { file, region, size, extend, memory in
            ChecksummedDatabase.with(file) { database in
                let map = database.below.pointee.pMethods.pointee.xShmMap
                let code = map?(database.below, region, size, extend, memory) ?? SQLITE_MISUSE
                guard code & 0xff == SQLITE_CANTOPEN, database.mayLackSharedMemory else { return code }
                database.lacksSharedMemory = true
                return CInt(SQLITE_READONLY | (5 << 8))
            }
        }
        methods.pointee.xShmLock = { file, start, count, flags in
            ChecksummedDatabase.with(file) { database in
                guard !database.lacksSharedMemory else { return SQLITE_OK }
                return database.below.pointee.pMethods.pointee.xShmLock(database.below, start, count, flags)
            }
        }
        methods.pointee.xShmBarrier = { file in
            _ = ChecksummedDatabase.with(file) { database in
                database.below.pointee.pMethods.pointee.xShmBarrier(database.below)
                return SQLITE_OK
            }
        }
        methods.pointee.xShmUnmap = { file, deletes in
            ChecksummedDatabase.with(file) { $0.below.pointee.pMethods.pointee.xShmUnmap($0.below, deletes) }
        }
    }

    private static func with(_ file: File?, _ body: (inout ChecksummedDatabase) -> CInt) -> CInt {
        guard let file else { return SQLITE_MISUSE }
        return body(&UnsafeMutableRawPointer(file).assumingMemoryBound(to: ChecksummedDatabase.self).pointee)
    }
}
