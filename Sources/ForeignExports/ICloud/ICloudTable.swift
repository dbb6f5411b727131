import NIOCore
import PhotoCatalog

/// A CSV file of a copy of iCloud Photos. What it lists follows from its header: names of files can be changed, and those
/// of folders depend on the language.
package struct ICloudTable: Sendable, Equatable {
    package private(set) var content = Content.other
    /// Whether it has a malformed row. Those before it were read.
    package private(set) var isDamaged = false

    package enum Content: Sendable, Equatable {
        /// The photos of a folder, such as `Photo Details-1.csv`.
        case photos([Photo])
        /// The file names of an album or another list.
        case names([String], ListKind)
        /// Something else, or nothing.
        case other
    }

    package enum ListKind: Sendable, Equatable {
        case album
        /// The favorites or the hidden photos; in some exports also an album.
        case marked
        /// A memory, which Photos makes by itself.
        case memory
    }

    /// What Apple says about one photo or video.
    package struct Photo: Sendable, Equatable {
        /// The file name, which several photos can have.
        package let name: String
        package let taken: Timestamp?
        /// Whether there is a date that cannot be read.
        package let isDateUnreadable: Bool
        package let isFavorite: Bool
        package let isHidden: Bool
        package let isTrashed: Bool
    }

    /// The longest file that is read, in bytes; real ones have a few hundred kilobytes.
    package static let limit = 16 << 20

    package init(_ bytes: ByteBuffer) {
        var (header, photos, names) = ([String]?.none, [Photo](), [String]())
        var kind: ListKind?
        do throws(CatalogError) {
            try CSVText.forEachRow(of: bytes) { fields in
                guard let columns = header else {
                    let columns = fields.map { $0.trimmingSpaces.lowercased() }
                    (header, kind) = (columns, columns.count == 1 ? Self.lists[columns[0]] : nil)
                    return
                }
                if kind != nil {
                    if let name = fields.first, !name.isEmpty { names.append(ExportedName.normalized(name)) }
                } else if let photo = Photo(columns, fields) {
                    photos.append(photo)
                }
            }
        } catch {
            isDamaged = true
        }
        if let kind {
            content = .names(names, kind)
        } else if let header, Photo.columns.isSubset(of: header) {
            content = .photos(photos)
        }
    }

    private static let lists: [String: ListKind] = ["images": .album, "imgname": .marked, "imagename": .memory]
}

extension ICloudTable.Photo {
    /// The columns that every table of photos has.
    fileprivate static let columns: Set<String> = ["imgname", "originalcreationdate"]

    /// - Parameter columns: The header, in lower case.
    fileprivate init?(_ columns: [String], _ fields: [String]) {
        let value = { (column: String) in
            columns.firstIndex(of: column).flatMap { $0 < fields.count ? fields[$0] : nil } ?? ""
        }
        let isMarked = { (column: String) in
            ["yes", "true", "1"].contains(value(column).trimmingSpaces.lowercased())
        }
        name = ExportedName.normalized(value("imgname"))
        guard !name.isEmpty else { return nil }
        let date = value("originalcreationdate").trimmingSpaces
        taken = ICloudDate.moment(date)
        isDateUnreadable = taken == nil && !date.isEmpty
        isFavorite = isMarked("favorite")
        isHidden = isMarked("hidden")
        isTrashed = isMarked("deleted")
    }
}

extension String {
    /// Without spaces and line breaks at its ends.
    fileprivate var trimmingSpaces: String {
        guard let first = utf8.first, let last = utf8.last, min(first, last) <= UInt8(ascii: " ") else { return self }
        return String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
