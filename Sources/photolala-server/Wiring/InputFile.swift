import Foundation
import ServiceWiring
import Transport

/// A file that an argument names.
enum InputFile {
    /// Reads a file or pipe.
    /// - Parameter limit: The maximum number of bytes.
    static func bytes(of path: String, limit: Int) throws(StartProblem) -> Data {
        let bytes: [UInt8]
        do throws(NamedFile.Problem) { bytes = try NamedFile.bytes(of: path, as: .stream, limit: limit) } catch {
            throw StartProblem("cannot read \(path): \(error)")
        }
        guard bytes.count <= limit else { throw StartProblem("\(path) has more than \(limit) bytes") }
        return Data(bytes)
    }

    /// Requires that a file can be opened and is a regular one.
    static func requireRegular(_ path: String) throws(StartProblem) {
        do throws(NamedFile.Problem) { _ = try open(path) } catch {
            throw StartProblem("cannot read \(path): \(error)")
        }
    }

    /// Opens a regular file.
    static func open(_ path: String) throws(NamedFile.Problem) -> FileHandle {
        FileHandle(fileDescriptor: try NamedFile.descriptor(of: path, as: .regular), closeOnDealloc: true)
    }
}
