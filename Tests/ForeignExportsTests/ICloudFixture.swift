import NIOCore
import PhotoCatalog
import PhotolalaTesting
import Testing

@testable import ForeignExports

/// The files of a copy of iCloud Photos.
struct ICloudFixture {
    private(set) var files: [ExportedFile] = []
    private(set) var tables: [Int: ICloudTable] = [:]

    /// Adds files of a folder, with their sizes.
    mutating func add(_ folder: String, _ names: KeyValuePairs<String, Int64>, in container: Int = 0) {
        for (name, size) in names {
            files.append(
                ExportedFile(
                    path: "\(folder)/\(name)", size: size, crc32: UInt32(size),
                    modified: Timestamp(seconds: 0, nanoseconds: 0), container: container))
        }
    }

    /// Adds a table.
    mutating func add(_ path: String, table: String, in container: Int = 0) {
        tables[files.count] = ICloudTable(ByteBuffer(string: table))
        files.append(
            ExportedFile(
                path: path, size: 5, crc32: UInt32(files.count + 1_000_000),
                modified: Timestamp(seconds: 0, nanoseconds: 0), container: container))
    }

    /// Adds the table of a folder.
    mutating func describe(_ folder: String, _ rows: [String], in container: Int = 0) {
        add("\(folder)/Photo Details.csv", table: ICloudCSV.photos(rows), in: container)
    }

    func read(includesTrashed: Bool = false) throws -> ICloudExport {
        var options = ForeignExportOptions(destination: try #require(LibraryPath("I")))
        options.includesTrashed = includesTrashed
        return ICloudExport(files, tables, options)
    }

    func paths() throws -> [String] { try read().items.map(\.path.description).sorted() }

    /// Returns the same files in reverse order.
    var reversed: ICloudFixture {
        var other = self
        other.files.reverse()
        other.tables = Dictionary(uniqueKeysWithValues: tables.map { (files.count - 1 - $0, $1) })
        return other
    }
}
