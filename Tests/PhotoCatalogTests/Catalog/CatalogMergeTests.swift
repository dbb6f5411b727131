import PhotolalaTesting
import Testing

@testable import PhotoCatalog

struct CatalogMergeTests {
    @Test("a device's change of its own photo replaces it")
    func ownChange() throws {
        var catalog = Catalog()
        catalog.apply([try .photo("a.jpg", seed: 0x11)])
        let conflicts = catalog.apply([try .photo("a.jpg", seed: 0x22, modified: 5, replacing: 0x11)])
        #expect(catalog.summary == ["a.jpg 22"])
        #expect(conflicts.isEmpty)
    }

    @Test("different photos of two devices at one path are both kept, the newer one under the name")
    func conflict() throws {
        var catalog = Catalog()
        catalog.apply([try .photo("d/a.jpg", seed: 0x11, modified: 10)])
        let conflicts = catalog.apply([try .photo("d/a.jpg", seed: 0x22, modified: 20)])
        #expect(catalog.summary == ["d/a (conflict 11000000).jpg 11", "d/a.jpg 22"])
        #expect(conflicts.map(\.alternativePath.description) == ["d/a (conflict 11000000).jpg"])
    }

    @Test("the catalog is the same for any order of the devices' changes")
    func order() throws {
        let changes = [
            try CatalogChange.photo("a.jpg", seed: 0x11, modified: 10), try .photo("a.jpg", seed: 0x22, modified: 30),
            try .photo("a.jpg", seed: 0x33, modified: 30), try .photo("b.jpg", seed: 0x11, modified: 5),
        ]
        var results: Set<[String]> = []
        for first in changes.indices {
            for second in changes.indices where second != first {
                for third in changes.indices where third != first && third != second {
                    let fourth = 6 - first - second - third
                    var catalog = Catalog()
                    for index in [first, second, third, fourth, first, third] { catalog.apply([changes[index]]) }
                    results.insert(catalog.summary)
                }
            }
        }
        #expect(
            results == [["a (conflict 11000000).jpg 11", "a (conflict 22000000).jpg 22", "a.jpg 33", "b.jpg 11"]]
        )
    }

    @Test("a repeated merge does not report a conflict twice")
    func idempotent() throws {
        var catalog = Catalog()
        catalog.apply([try .photo("a.jpg", seed: 0x11, modified: 10), try .photo("a.jpg", seed: 0x22, modified: 20)])
        let before = catalog
        #expect(catalog.apply([try .photo("a.jpg", seed: 0x11, modified: 10)]).isEmpty)
        #expect(catalog == before)
    }

    @Test("the oldest modification date of a content is kept")
    func dates() throws {
        var catalog = Catalog()
        catalog.apply([try .photo("a.jpg", seed: 1, modified: 10)])
        catalog.apply([try .photo("a.jpg", seed: 1, modified: 90)])
        #expect(catalog.entries.map(\.modified.seconds) == [10])
        catalog.apply([try .photo("a.jpg", seed: 1, modified: 3)])
        #expect(catalog.entries.map(\.modified.seconds) == [3])
    }
}
