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
    /// - Throws: `file(.exists)` if there is a file with the final name, or if another process writes the export.
    static func open(_ path: String) async throws(LibraryExportError) -> ExportTarget {
        let location = URL(fileURLWithPath: path)
        let (folder, name) = (location.deletingLastPathComponent().path, location.lastPathComponent)
        do {
            let file = try await FileWork.run { () throws(FileError) in
                let folder = try FolderHandle(folder)
                guard try folder.fingerprint(of: name) == nil, try !folder.isFolder(name) else {
                    throw FileError.exists
                }
                return try PartialFile(in: folder, name: name + suffix)
            }
            return ExportTarget(file: file, name: name, partialPath: location.path + suffix)
        } catch {
            throw .file(error)
        }
    }

    /// Returns the head that an earlier run wrote; `nil` if it was not written completely.
    /// - Throws: `notThisExport` if the file does not begin with an export.
    func storedHead() async throws(LibraryExportError) -> ByteBuffer? {
        var position: Int64 = 0
        while true {
            let start = position
            let bytes = try await work { file throws(FileError) in
                try file.read(from: start, count: ZipHeader.maximumSize)
            }
            guard let header = ZipHeader(bytes) else {
                if position == 0, bytes.readableBytes > 0 {
                    file.preserve()
                    throw .notThisExport(partialPath)
                }
                return nil
            }
            position += Int64(header.size) + header.contentSize
            guard position <= file.foundLength else { return nil }
            if header.name == ExportPath.catalog { break }
        }
        let size = Int(position)
        return try await work { file throws(FileError) in try file.read(from: 0, count: size) }
    }

    /// Performs blocking calls on the file.
    func work<Value: Sendable>(
        _ act: @escaping @Sendable (PartialFile) throws(FileError) -> Value
    ) async throws(LibraryExportError) -> Value {
        let file = file
        do { return try await FileWork.run { () throws(FileError) in try act(file) } } catch { throw .file(error) }
    }
}
