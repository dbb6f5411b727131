import Foundation
import LibraryExport
import PhotoCatalog
import PhotolalaTesting
import Testing

/// The JSON files beside photos, in the form of Google Takeout.
@Suite struct TakeoutSidecarTests {
    @Test("a sidecar has the date at which the photo was taken, and says that a photo is in the trash")
    func sidecars() async throws {
        let fixture = try await ExportFixture.sample()
        let items = try await fixture.plan().items
        let first = try #require(items[0].sidecar)
        #expect(
            String(buffer: first.bytes) == """
                {
                  "title": "IMG_1.jpg",
                  "description": "",
                  "creationTime": {"timestamp": "1714000001", "formatted": "2024-04-24T23:06:41Z"},
                  "photoTakenTime": {"timestamp": "1714972089", "formatted": "2024-05-06T05:08:09Z"}
                }

                """)
        for item in (0..<items.count).map({ items[$0] }) {
            guard let sidecar = item.sidecar else { continue }
            #expect(TakeoutDates.clue(in: sidecar.bytes) != nil)
            #expect(String(buffer: sidecar.bytes).contains("\"trashed\": true") == item.isInTrash)
        }
    }

    @Test("a sidecar has the location, as Google Takeout writes it")
    func location() async throws {
        var fixture = try ExportFixture()
        try await fixture.add(
            "a.jpg", Data("photo".utf8), location: GeoLocation(latitude: -33.8567844, longitude: 151))
        let sidecar = try #require(try await fixture.plan().items[0].sidecar)
        #expect(
            String(buffer: sidecar.bytes).contains(
                ",\n  \"geoData\": {\"latitude\": -33.8567844, \"longitude\": 151, \"altitude\": 0.0}\n}"))
        #expect(TakeoutDates.clue(in: sidecar.bytes) != nil)
    }

    @Test("a sidecar of the trash is not replaced by a generated one")
    func trashSidecar() async throws {
        var fixture = try ExportFixture()
        try await fixture.add("a.jpg", Data("photo".utf8), isInTrash: true)
        try await fixture.add("a.jpg.json", Data("{}".utf8), type: .takeoutDescription, isInTrash: true)
        let items = try await fixture.plan().items
        #expect((0..<items.count).map { items[$0].name } == ["trash/a.jpg", "trash/a.jpg.json"])
        #expect((0..<items.count).allSatisfy { items[$0].sidecar == nil })
    }

    @Test("a library's own description of a photo, and a photo without any date, have no generated one")
    func omitted() async throws {
        var fixture = try ExportFixture()
        let name = "a long name that Google Takeout cuts off here.jpg"
        try await fixture.add(name, Data("photo".utf8))
        let cut = "\("\(name).supplemental-metadata".prefix(46)).json"
        try await fixture.add(cut, Data("{}".utf8), type: .takeoutDescription)
        try await fixture.add("no date.jpg", Data("no date".utf8), modified: 0, taken: nil)
        let items = try await fixture.plan().items
        #expect(items.count == 3 && (0..<items.count).allSatisfy { items[$0].sidecar == nil })
    }
}
