import NIOCore
import Testing

@testable import PhotoCatalog

/// Words of a search that are arguments of a command.
@Suite struct ArgumentSearchTests {
    @Test(
        "arguments find paths, dates and kinds, and patterns match the whole path",
        arguments: [
            (["2019"], ["c.jpg", "d.cr2"]), (["2018-05"], ["Sea side/2018-05/b.mp4", "Sea side/a.jpg"]),
            (["May"], ["Sea side/a.jpg", "c.jpg"]), (["17", "of", "may", "2018"], ["Sea side/a.jpg"]),
            (["thursday", "17.5.2018"], []), (["17", "dec"], []), (["31", "Dec", "2019"], ["d.cr2"]),
            (["dec"], []), (["sea side", "videos"], ["Sea side/2018-05/b.mp4"]), (["raw"], ["d.cr2"]),
            (["*.jpg"], ["Sea side/a.jpg", "c.jpg"]), (["?.jpg"], ["c.jpg"]), (["*.jpg", "2018"], ["Sea side/a.jpg"]),
            (["sea side", "2019"], []), (["may 2018"], ["Sea side/a.jpg"]), (["Thu, 17 May 2018"], ["Sea side/a.jpg"]),
            (["side sea a.jpg"], ["Sea side/a.jpg"]), (["*sea side*", "videos"], ["Sea side/2018-05/b.mp4"]),
            (["*side sea*"], []), ([" "], ["Sea side/2018-05/b.mp4", "Sea side/a.jpg"]), ([","], []),
            ([], ["Sea side/2018-05/b.mp4", "Sea side/a.jpg", "c.jpg", "d.cr2"]),
        ])
    func arguments(_ words: [String], _ paths: [String]) async throws {
        let photos = [
            ("Sea side/2018-05/b.mp4", "video/mp4", "2017-08-01T23:59:59Z"),
            ("Sea side/a.jpg", "image/jpeg", "2018-05-17T10:00:00+02:00"),
            ("c.jpg", "image/jpeg", "2019-05-31T23:30:00-05:00"),
            ("d.cr2", "image/x-canon-cr2", "2019-12-31T23:59:59Z"),
        ]
        let rows = photos.enumerated().map {
            "\($1.0),\(String(repeating: "\($0)", count: 32)),5,2024-01-02T03:04:05Z,\($1.2),\($1.1)\n"
        }
        let text = "path,md5,size,modified,taken,type\n\(rows.joined())"
        let catalog = try CatalogCSV.decode(ByteBuffer(string: text)).rows
        var selection = PhotoSelection()
        selection.words = SearchWord.words(ofArguments: words)
        let found = try await Timeline(catalog.entries).selected(selection, from: catalog.entries)
        #expect(found.photos.map(\.path.description).sorted() == paths)
    }
}
