import GRDBSQLite
import Testing

@testable import DirectoryStorage

/// Opens files with the VFS over one that records calls.
@Suite("Gathered write-ahead log")
struct BufferedLogTests {
    @Test("gathered writes are flushed before any other operation on the file")
    func flushes() throws {
        try withOpened(SQLITE_OPEN_WAL) { file, calls in
            let methods = file.pointee.pMethods.pointee
            let operations: [(String, () -> CInt)] = [
                ("sync \(SQLITE_SYNC_FULL)", { methods.xSync(file, SQLITE_SYNC_FULL) }),
                ("read 7 at 5", { methods.xRead(file, nil, 7, 5) }),
                ("truncate to 9", { methods.xTruncate(file, 9) }),
                ("size", { methods.xFileSize(file, nil) }),
                ("control \(SQLITE_FCNTL_PERSIST_WAL)", { methods.xFileControl(file, SQLITE_FCNTL_PERSIST_WAL, nil) }),
                ("lock \(SQLITE_LOCK_SHARED)", { methods.xLock(file, SQLITE_LOCK_SHARED) }),
                ("unlock \(SQLITE_LOCK_NONE)", { methods.xUnlock(file, SQLITE_LOCK_NONE) }),
                ("reserved", { methods.xCheckReservedLock(file, nil) }),
            ]
            for (name, act) in operations {
                calls.noted = []
                #expect(methods.xWrite(file, "ab", 2, 32) == SQLITE_OK)
                #expect(methods.xWrite(file, "cd", 2, 34) == SQLITE_OK)
                #expect(calls.noted == [])
                #expect(act() == SQLITE_OK)
                #expect(calls.noted == ["write 4 at 32", name])
            }
            #expect(methods.xSectorSize(file) == 4096)
            #expect(methods.xDeviceCharacteristics(file) == SQLITE_IOCAP_POWERSAFE_OVERWRITE)
        }
    }

    @Test("closing the log discards remaining gathered writes")
    func closing() throws {
        try withOpened(SQLITE_OPEN_WAL) { file, calls in
            #expect(file.pointee.pMethods.pointee.xWrite(file, "ab", 2, 32) == SQLITE_OK)
        }
    }

    @Test("a failed flush fails the sync or read")
    func failure() throws {
        try withOpened(SQLITE_OPEN_WAL) { file, calls in
            let methods = file.pointee.pMethods.pointee
            calls.writing = SQLITE_FULL
            #expect(methods.xWrite(file, "ab", 2, 32) == SQLITE_OK)
            #expect(methods.xSync(file, SQLITE_SYNC_FULL) == SQLITE_FULL)
            #expect(methods.xWrite(file, "ab", 2, 32) == SQLITE_OK)
            #expect(methods.xRead(file, nil, 0, 0) == SQLITE_FULL)
            #expect(calls.noted == ["write 2 at 32", "write 2 at 32"])
            calls.writing = SQLITE_OK
            calls.noted = []
            #expect(methods.xSync(file, SQLITE_SYNC_FULL) == SQLITE_OK)
            #expect(calls.noted == ["sync \(SQLITE_SYNC_FULL)"])
        }
    }

    @Test("writes to a database file are not gathered")
    func others() throws {
        try withOpened(SQLITE_OPEN_MAIN_DB) { file, calls in
            #expect(file.pointee.pMethods.pointee.xWrite(file, "ab", 2, 32) == SQLITE_OK)
            #expect(calls.noted == ["write 2 at 32"])
        }
    }

    @Test("a log that cannot be opened needs no close")
    func refused() throws {
        let calls = RecordedCalls()
        calls.opening = SQLITE_CANTOPEN
        let file = try open(SQLITE_OPEN_WAL, calls, expecting: SQLITE_CANTOPEN)
        #expect(file.pointee.pMethods == nil)
        file.deallocate()
    }

    /// Runs a test with an open file and closes it afterwards.
    private func withOpened(_ flags: CInt, _ body: (UnsafeMutablePointer<sqlite3_file>, RecordedCalls) throws -> Void)
        throws
    {
        let calls = RecordedCalls()
        let file = try open(flags, calls, expecting: SQLITE_OK)
        defer { file.deallocate() }
        try body(file, calls)
        calls.noted = []
        #expect(file.pointee.pMethods.pointee.xClose(file) == SQLITE_OK)
        #expect(calls.noted == ["close"])
    }

    private func open(
        _ flags: CInt, _ calls: RecordedCalls, expecting code: CInt
    ) throws -> UnsafeMutablePointer<sqlite3_file> {
        let below = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        below.initialize(to: RecordingFile.vfs(calls))
        let vfs = BufferedLogVFS.make(over: below, nil)
        let file = UnsafeMutableRawPointer.allocate(byteCount: Int(vfs.pointee.szOsFile), alignment: 16)
            .bindMemory(to: sqlite3_file.self, capacity: 1)
        #expect(vfs.pointee.xOpen(vfs, nil, file, flags, nil) == code)
        return file
    }
}

private final class RecordedCalls {
    var opening = SQLITE_OK
    var writing = SQLITE_OK
    var noted: [String] = []
}

/// A file that only records the calls.
private struct RecordingFile {
    var head: sqlite3_file
    let calls: Unmanaged<RecordedCalls>

    static func vfs(_ calls: RecordedCalls) -> sqlite3_vfs {
        var vfs = sqlite3_vfs()
        vfs.szOsFile = CInt(MemoryLayout<RecordingFile>.stride)
        vfs.pAppData = Unmanaged.passRetained(calls).toOpaque()
        vfs.xOpen = { vfs, _, file, _, _ in
            guard let data = vfs?.pointee.pAppData, let file else { return SQLITE_MISUSE }
            let calls = Unmanaged<RecordedCalls>.fromOpaque(data)
            let opening = calls.takeUnretainedValue().opening
            guard opening == SQLITE_OK else { return opening }
            UnsafeMutableRawPointer(file).bindMemory(to: RecordingFile.self, capacity: 1)
                .initialize(to: RecordingFile(head: sqlite3_file(pMethods: RecordingFile.methods), calls: calls))
            return SQLITE_OK
        }
        return vfs
    }

    nonisolated(unsafe) private static let methods: UnsafePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.xWrite = { file, _, count, offset in
            record(file, "write \(count) at \(offset)")
            return calls(file)?.writing ?? SQLITE_MISUSE
        }
        methods.pointee.xSync = { file, flags in record(file, "sync \(flags)") }
        methods.pointee.xRead = { file, _, count, offset in record(file, "read \(count) at \(offset)") }
        methods.pointee.xTruncate = { file, size in record(file, "truncate to \(size)") }
        methods.pointee.xFileSize = { file, _ in record(file, "size") }
        methods.pointee.xFileControl = { file, act, _ in record(file, "control \(act)") }
        methods.pointee.xLock = { file, level in record(file, "lock \(level)") }
        methods.pointee.xUnlock = { file, level in record(file, "unlock \(level)") }
        methods.pointee.xCheckReservedLock = { file, _ in record(file, "reserved") }
        methods.pointee.xSectorSize = { _ in 4096 }
        methods.pointee.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
        methods.pointee.xClose = { file in record(file, "close") }
        return UnsafePointer(methods)
    }()

    private static func calls(_ file: UnsafeMutablePointer<sqlite3_file>?) -> RecordedCalls? {
        file.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: RecordingFile.self).pointee }?
            .calls.takeUnretainedValue()
    }

    @discardableResult
    private static func record(_ file: UnsafeMutablePointer<sqlite3_file>?, _ act: String) -> CInt {
        calls(file)?.noted.append(act)
        return SQLITE_OK
    }
}
