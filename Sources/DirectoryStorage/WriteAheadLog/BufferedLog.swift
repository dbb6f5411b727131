import GRDBSQLite

/// A write-ahead log opened by SQLite: its file header, the gathered writes, and the underlying file.
struct BufferedLog {
    typealias File = UnsafeMutablePointer<sqlite3_file>

    /// The offset of the underlying file in SQLite's memory.
    static let size = MemoryLayout<BufferedLog>.stride

    /// SQLite finds the methods here: it must be the first member.
    private var head: sqlite3_file
    private let below: File
    private var writes = BufferedWrites()

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
        storage.bindMemory(to: BufferedLog.self, capacity: 1)
            .initialize(to: BufferedLog(head: sqlite3_file(pMethods: methods), below: fileBelow))
        return SQLITE_OK
    }

    /// Never changed after initialization and never freed.
    nonisolated(unsafe) private static let methods: UnsafePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = 1
        methods.pointee.xWrite = { file, bytes, count, offset in
            with(file) { log in
                let below = log.below
                return log.writes.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset) {
                    write(below, $0, $1)
                }
            }
        }
        methods.pointee.xRead = { file, bytes, count, offset in
            flushed(file) { below in
                let code = below.pointee.pMethods.pointee.xRead(below, bytes, count, offset)
                guard code == SQLITE_OK, LogFrame.covers(count: count, offset: offset) else { return code }
                let page = UnsafeRawBufferPointer(start: bytes, count: Int(count))
                let isIntact = LogFrame.isIntact(page, at: offset) { space, offset in
                    let read = below.pointee.pMethods.pointee.xRead
                    return read?(below, space.baseAddress, CInt(space.count), offset) == SQLITE_OK
                }
                return isIntact ? SQLITE_OK : PageChecksum.mismatch
            }
        }
        methods.pointee.xSync = { file, flags in flushed(file) { $0.pointee.pMethods.pointee.xSync($0, flags) } }
        methods.pointee.xTruncate = { file, size in flushed(file) { $0.pointee.pMethods.pointee.xTruncate($0, size) } }
        methods.pointee.xFileSize = { file, size in flushed(file) { $0.pointee.pMethods.pointee.xFileSize($0, size) } }
        methods.pointee.xLock = { file, level in flushed(file) { $0.pointee.pMethods.pointee.xLock($0, level) } }
        methods.pointee.xUnlock = { file, level in flushed(file) { $0.pointee.pMethods.pointee.xUnlock($0, level) } }
        methods.pointee.xCheckReservedLock = { file, result in
            flushed(file) { $0.pointee.pMethods.pointee.xCheckReservedLock($0, result) }
        }
        methods.pointee.xFileControl = { file, operation, argument in
            flushed(file) { $0.pointee.pMethods.pointee.xFileControl($0, operation, argument) }
        }
        methods.pointee.xSectorSize = { file in with(file) { $0.below.pointee.pMethods.pointee.xSectorSize($0.below) } }
        methods.pointee.xDeviceCharacteristics = { file in
            with(file) { $0.below.pointee.pMethods.pointee.xDeviceCharacteristics($0.below) }
        }
        methods.pointee.xClose = { file in
            with(file) { log in
                // No lock is held at this point: remaining gathered writes belong to no commit.
                log.writes.deallocate()
                return log.below.pointee.pMethods.pointee.xClose(log.below)
            }
        }
        return UnsafePointer(methods)
    }()

    private static func with(_ file: File?, _ body: (inout BufferedLog) -> CInt) -> CInt {
        guard let file else { return SQLITE_MISUSE }
        return body(&UnsafeMutableRawPointer(file).assumingMemoryBound(to: BufferedLog.self).pointee)
    }

    /// Writes all gathered bytes, then runs an operation on the underlying file.
    private static func flushed(_ file: File?, _ body: (File) -> CInt) -> CInt {
        with(file) { log in
            let below = log.below
            let code = log.writes.flush { write(below, $0, $1) }
            return code == SQLITE_OK ? body(below) : code
        }
    }

    private static func write(_ below: File, _ bytes: UnsafeRawBufferPointer, _ offset: Int64) -> CInt {
        below.pointee.pMethods.pointee.xWrite(below, bytes.baseAddress, CInt(bytes.count), offset)
    }
}
