import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI

@testable import PhotoLibrary

extension FuzzedParser {
    private static let catalog = """
        path,md5,size,modified,taken,type
        "2026/a, ""b"".jpg",0123456789abcdef0123456789abcdef,17,2026-11-22T00:00:00Z,2026-11-21T10:00:00.25Z,image/jpeg
        ./=formula.heic,1123456789abcdef0123456789abcdef,0,1969-12-31T23:59:59.999999999Z,,image/heic

        """
    private static let description = """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>filename</key><string>a.jpg</string>\
        <key>dateTaken</key><date>2026-11-22T00:00:00Z</date><key>x</key><array><integer>5</integer><real>1e9</real>\
        <true/><data>AAAA</data></array></dict></plist>
        """

    /// What a library holds: catalogs and descriptions that their owners can write, and photos from anywhere.
    static func library() throws -> [FuzzedParser] {
        let list: [String: Any] = ["name": "b.jpg", "createdAt": ForgedProvider.now, "n": [1, 2.5, ["k": Data([1])]]]
        let binary = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        return [
            FuzzedParser("catalog", [Array(catalog.utf8)], tokens: .csv) { bytes in
                guard let read = try decode(bytes, inPiecesOf: 4096) else {
                    try BrokenPromise.unless(try decode(bytes, inPiecesOf: 5) == nil, "the pieces do not matter")
                    return false
                }
                let again = try decode(Array(CatalogCSV.encode(read).readableBytesView), inPiecesOf: 5)
                try BrokenPromise.unless(again == read, "a catalog is read as it was written")
                return true
            },
            FuzzedParser("photo", PhotoSeeds.all, tokens: .photo) { bytes in
                let head = ByteBuffer(bytes: bytes)
                for type in [MediaType.jpeg, .png, .webp, .heic, .fujiRAF, .tiff] {
                    _ = TakenDate.read(head: head, type: type)
                }
                return MediaSniffer.type(head: head, name: "a.dng") != nil
            },
            FuzzedParser("photo's description", [Array(description.utf8), Array(binary)], tokens: .xml) { bytes in
                let user = UserID(uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)))
                guard let digest = ContentDigest("0123456789abcdef0123456789abcdef") else { return false }
                let store = MemoryObjectStore { ForgedProvider.now }
                let key = ObjectKey(known: "\(StorageLayout.metadata(user))\(digest).plist")
                _ = try await store.put(key, ByteBuffer(bytes: bytes), if: .always)
                return try await PhotoDescriptions(store: store, user: user).read(digest) != nil
            },
            FuzzedParser(text: "library path", ["2026/Zürich/a.jpg", "a"]) { text in
                guard let path = LibraryPath(text) else { return false }
                let beside = path.remarked("conflict 01234567")
                try BrokenPromise.unless(
                    beside.map { $0.name.utf8.count <= 255 } ?? true, "a name has at most 255 bytes")
                return true
            },
            FuzzedParser(text: "timestamp", ["2026-11-22T00:00:00Z", "0001-01-02T00:00:00.000000001+23:59"]) { text in
                guard let read = Timestamp(text) else { return false }
                try BrokenPromise.unless(Timestamp(read.description) == read, "a moment is read as it was written")
                return true
            },
        ]
    }

    private static func decode(_ bytes: [UInt8], inPiecesOf size: Int) throws -> Catalog? {
        var decoder = CatalogCSV.Decoder()
        do {
            for start in stride(from: 0, to: bytes.count, by: size) {
                try decoder.consume(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
            }
            return try decoder.finish()
        } catch {
            return nil
        }
    }
}
