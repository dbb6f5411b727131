import Foundation
import LibraryExport
import NIOCore

/// The file of an export, under its temporary name until it is complete.
struct ExportTarget: Sendable {
    let file: PartialFile
    /// The final name.
    let name: String
    let partialPath: String

    private static let suffix = ".partial"

    /// Opens the file that an earlier run began, or creates it.
    /// - Throws: `file(.exists)` if there is a file with the final name; `busy`; `notThisExport` if something else has the
    ///   temporary name, which is kept.
    static func open(_ path: String) async throws(LibraryExportError) -> ExportTarget {
        let location = URL(fileURLWithPath: path)
        let (folder, name) = (location.deletingLastPathComponent().path, location.lastPathComponent)
        let partial = location.path + suffix
        let handle: FolderHandle
        do {
            handle = try await FileWork.run { () throws(FileError) in
                let folder = try FolderHandle(folder)
                guard try folder.fingerprint(of: name) == nil, try !folder.isFolder(name) else {
                    throw FileError.exists
                }
                return folder
            }
        } catch {
            throw .file(error)
        }
        guard await (try? FileWork.run { handle.mayContinue(name + suffix) }) ?? true else {
            throw .notThisExport(partial)
        }
        do {
            let file = try await FileWork.run { () throws(FileError) in
                try PartialFile(in: handle, name: name + suffix)
            }
            return ExportTarget(file: file, name: name, partialPath: partial)
        } catch {
            throw error == .exists ? .busy : .file(error)
        }
    }

    /// Returns the head that an earlier run wrote; `nil` if it was not written completely.
    /// - Throws: `notThisExport` if the file does not begin with an export.
    func storedHead() async throws(LibraryExportError) -> ByteBuffer? {
        let head = try await work { file throws(FileError) in
            try StoredHead.read(length: file.foundLength) { (offset, count) throws(FileError) in
                try file.read(from: offset, count: count)
            }
        }
        switch head {
        case .complete(let bytes): return bytes
        case .incomplete: return nil
        case .none: throw .notThisExport(partialPath)
        }
    }

    /// Performs blocking calls on the file.
    func work<Value: Sendable>(
        _ act: @escaping @Sendable (PartialFile) throws(FileError) -> Value
    ) async throws(LibraryExportError) -> Value {
        let file = file
        do { return try await FileWork.run { () throws(FileError) in try act(file) } } catch { throw .file(error) }
    }
}

/// The head of an export in a local file.
enum StoredHead: Sendable {
    case complete(ByteBuffer)
    /// The file ends within the head.
    case incomplete

    /// The longest header of a file in a head, in bytes.
    private static let longestHeader = 8 << 10
    /// The most files in a head: those of the account, and the person's own data.
    private static let maximumFiles = 10_100

    /// Reads the head; returns `nil` if the file does not begin with an export.
    /// - Parameters:
    ///   - length: The length of the file in bytes.
    ///   - read: Reads bytes from an offset; fewer only at the end of the file.
    static func read(
        length: Int64, _ read: (_ offset: Int64, _ count: Int) throws(FileError) -> ByteBuffer
    ) throws(FileError) -> StoredHead? {
        var (position, files) = (Int64(0), 0)
        while true {
            let bytes = try read(position, Self.longestHeader)
            guard let header = ZipHeader(bytes) else {
                return position == 0 && bytes.readableBytes > 0 ? nil : .incomplete
            }
            files += 1
            position += Int64(header.size) + header.contentSize
            // No export begins with more, and a file from elsewhere must not take memory or time.
            guard header.name == ExportPath.description || files > 1, files <= Self.maximumFiles,
                position <= Int64(ExportPlan.maximumHead) + 1 << 20
            else { return nil }
            guard position <= length else { return .incomplete }
            if header.name == ExportPath.catalog { return .complete(try read(0, Int(position))) }
        }
    }
}
