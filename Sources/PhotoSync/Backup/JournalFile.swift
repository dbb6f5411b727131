import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A text file, opened for appending lines and locked against other writers. All calls block.
final class JournalFile: Sendable {
    typealias Write = @Sendable (_ bytes: ByteBuffer, _ descriptor: CInt) throws(FileError) -> Void

    private let path: String
    private let descriptor: CInt
    private let write: Write

    /// - Throws: `exists` if another process has the file open.
    convenience init(_ path: String, write: @escaping Write = writeAll) throws(FileError) {
        if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
            try LocalFolder.create(String(path[..<slash]))
        }
        try self.init(path, O_RDWR | O_CREAT | O_APPEND, named: path, write)
        // An incomplete last line is terminated, so that the next line does not continue it.
        if try !endsWithLine() { try writeAll(ByteBuffer(string: "\n"), to: descriptor) }
    }

    private init(_ file: String, _ flags: CInt, named path: String, _ write: @escaping Write) throws(FileError) {
        let descriptor = open(file, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last }
        self.path = path
        self.descriptor = descriptor
        self.write = write
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw errno == EWOULDBLOCK ? .exists : .last }
        // The process that had it may have replaced it in between.
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, stat(file, &named) == 0 else { throw .last }
        guard opened.st_ino == named.st_ino else { throw .exists }
    }

    deinit {
        // Closing does not unlock while a process that is being started has a copy of the descriptor.
        unlock()
        close(descriptor)
    }

    /// Unlocks the file for other processes, even if it is still referenced here.
    func unlock() { flock(descriptor, LOCK_UN) }

    /// Appends lines with one write, so that a kill leaves at most one incomplete line. If the disk is full, the file
    /// stays as it was: the next line would continue an incomplete one.
    func append(_ lines: ByteBuffer) throws(FileError) {
        let end = lseek(descriptor, 0, SEEK_END)
        do throws(FileError) { try write(lines, descriptor) } catch {
            if end >= 0 { ftruncate(descriptor, end) }
            throw error
        }
    }

    /// Flushes appended lines to the disk.
    func sync() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Replaces the file with one that contains only these lines. The new file is locked before it is renamed.
    func replaced(with lines: ByteBuffer) throws(FileError) -> JournalFile {
        let part = "\(path).part"
        unlink(part)
        let file = try JournalFile(part, O_RDWR | O_CREAT | O_EXCL | O_APPEND, named: path, write)
        do throws(FileError) {
            try file.append(lines)
            guard fsync(file.descriptor) == 0, rename(part, path) == 0 else { throw FileError.last }
        } catch {
            unlink(part)
            throw error
        }
        return file
    }

    private func endsWithLine() throws(FileError) -> Bool {
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0 else { throw .last }
        var last = UInt8(ascii: "\n")
        guard end == 0 || pread(descriptor, &last, 1, end - 1) == 1 else { throw .last }
        return last == UInt8(ascii: "\n")
    }
}

/// The rows of a backup's journal, of any length.
struct JournalRows {
    private(set) var all: [JournalRow] = []
    /// Lines in the file, complete or not; larger than any real count if part of the file could not be read, so that
    /// the file is rewritten.
    private(set) var count = 0

    /// Reads all readable rows. Blocks.
    static func read(_ path: String) -> JournalRows {
        var rows = JournalRows()
        do throws(FileError) {
            try JournalFile.forEachLine(of: path) { line in
                rows.count += 1
                if let row = JournalRow(line: line) { rows.all.append(row) }
            }
        } catch {
            if error != .missing { rows.count = Int.max / 2 }
        }
        return rows
    }
}

extension JournalFile {
    private static let pieceLength = 1 << 20
    /// The maximum length of a line, in bytes.
    private static let longestLine = 1 << 16

    /// Calls a closure for each line that is not empty, without its terminator. Blocks.
    static func forEachLine(of path: String, _ body: (ArraySlice<UInt8>) -> Void) throws(FileError) {
        let file = try OpenFile(path)
        var offset: Int64 = 0
        var partialLine: [UInt8] = []
        while true {
            let piece = try file.read(from: offset, count: pieceLength).readableBytesView
            guard !piece.isEmpty else { break }
            offset += Int64(piece.count)
            if let end = piece.lastIndex(of: UInt8(ascii: "\n")) {
                (partialLine + piece[..<end]).split(separator: UInt8(ascii: "\n")).forEach(body)
                partialLine = Array(piece[(end + 1)...])
            } else {
                partialLine += piece
                // A line this long is not a row, whatever follows.
                if partialLine.count > longestLine { partialLine = [0] }
            }
        }
        partialLine.split(separator: UInt8(ascii: "\n")).forEach(body)
    }
}
