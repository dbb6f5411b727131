import NIOCore
import PhotoCatalog

/// The bytes of a file, in pieces. The file is opened when the first one is requested.
package struct FileChunks: AsyncSequence, Sendable {
    private let path: String

    private static let pieceLength = 1 << 20

    /// - Parameters:
    ///   - folder: The path of a folder.
    ///   - path: The file in it. Links are not followed.
    package init(of path: LibraryPath, in folder: String) { self.path = "\(folder)/\(path)" }

    package func makeAsyncIterator() -> Iterator { Iterator(path: path) }

    package struct Iterator: AsyncIteratorProtocol {
        let path: String
        private var file: OpenFile?
        private var offset: Int64 = 0

        init(path: String) { self.path = path }

        package mutating func next() async throws -> ByteBuffer? {
            let (known, path, start) = (file, path, offset)
            do throws(FileError) {
                let (file, bytes) = try await FileWork.run { () throws(FileError) in
                    let file = if let known { known } else { try OpenFile(path) }
                    return (file, try file.read(from: start, count: pieceLength))
                }
                self.file = file
                offset += Int64(bytes.readableBytes)
                return bytes.readableBytes > 0 ? bytes : nil
            } catch {
                throw SourceError(error)
            }
        }
    }
}

extension SourceError {
    package init(_ error: FileError) {
        switch error {
        case .missing: self = .missing
        case .denied: self = .denied
        case .cancelled: self = .cancelled
        default: self = .failed("\(error)")
        }
    }
}
