import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

@Suite("Randomized catalog joins") struct CatalogJoinTests {
    /// A few contents at a few paths, so that all combinations occur.
    private static let paths = ["a.jpg", "b.jpg", "b (conflict 10000000).jpg", "d/a.jpg"]

    private static func change(_ generator: inout SeededGenerator) throws -> CatalogChange {
        let path = paths.randomElement(using: &generator) ?? "a.jpg"
        let seed = Int.random(in: 1...4, using: &generator)
        let (place, md5) = (try #require(LibraryPath(path)), try ContentDigest.seeded(seed))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .trash(place, md5)
        case 1: return .restoreFromTrash(place, md5)
        case 2: return try .photo(path, seed: seed, replacing: Int.random(in: 1...4, using: &generator))
        default:
            let entry = try CatalogEntry.photo(path, seed: seed, modified: .random(in: 1...3, using: &generator))
            return .add(
                CatalogEntry(
                    path: entry.path, md5: entry.md5, size: entry.size, modified: entry.modified,
                    type: Bool.random(using: &generator) ? .jpeg : .heic, media: media(&generator)
                ), replacing: nil)
        }
    }

    /// Random facts about a photo, as different programs may read them.
    private static func media(_ generator: inout SeededGenerator) -> MediaFacts {
        func perhaps(_ range: ClosedRange<Int32>) -> Int32? {
            let value = Int32.random(in: range, using: &generator)
            return value > 0 ? value : nil
        }
        return MediaFacts(
            taken: perhaps(0...3).flatMap {
                CaptureDate(
                    Timestamp(seconds: Int64($0) - 2, nanoseconds: Int64($0)),
                    offset: [nil, -1439, 0, 540, 853].randomElement(using: &generator) ?? nil)
            },
            width: perhaps(0...3), height: perhaps(0...3), orientation: perhaps(0...8).map { UInt8($0) },
            location: perhaps(0...2).flatMap { GeoLocation(latitude: Double($0), longitude: -1) },
            color: perhaps(0...2).map { PictureColor(red: UInt8($0), green: 0, blue: 255) },
            duration: perhaps(0...2).flatMap { MediaDuration(milliseconds: UInt32($0)) },
            camera: perhaps(0...3).flatMap { CameraName("Camera \($0)") })
    }

    /// The catalog of random changes by a device that has seen `counter` changes.
    private static func catalog(_ generator: inout SeededGenerator, by device: UInt32) throws -> Catalog {
        let changes = try (0..<Int.random(in: 0...6, using: &generator)).map { _ in try change(&generator) }
        let counter = UInt64.random(in: 0...3, using: &generator)
        // Clocks differ by years.
        let clock = Bool.random(using: &generator) ? .max : UInt32.random(in: 1...3, using: &generator) * 31_536_000
        var said = Catalog(changes, after: counter, by: DeviceTag(value: device), trashed: clock)
        // A part of its trash is purged.
        if Bool.random(using: &generator) {
            said.join(said.purged([try .seeded(.random(in: 1...4, using: &generator))]))
        }
        return said
    }

    private static func bytes(_ catalog: Catalog) -> ByteBuffer {
        var file = CatalogFile()
        file.rows = catalog
        return CatalogCSV.encode(file)
    }

    @Test("joins are commutative, associative and idempotent, to the byte")
    func laws() throws {
        for seed in 0..<600 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            // Two of the devices have the same tag.
            let all = try [1, 2, 2].map { try Self.catalog(&generator, by: $0) }
            var results: Set<ByteBuffer> = []
            for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                var left = all[order[0]]
                left.join(all[order[1]])
                left.join(all[order[2]])
                var right = all[order[1]]
                right.join(all[order[2]])
                right.join(all[order[0]])
                right.join(left)
                results.formUnion([Self.bytes(left), Self.bytes(right)])
                #expect(left == right, "seed \(seed)")
            }
            results.insert(Self.bytes(Catalog.join(of: all + all.reversed())))
            #expect(results.count == 1, "seed \(seed)")
        }
    }

    @Test(
        "three devices that edit offline and join in any order end with equal catalogs and lose no entry")
    func devices() throws {
        for seed in 0..<300 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var devices = [Catalog](repeating: Catalog(), count: 3)
            var (added, gone) = ([CatalogEntry](), [(path: LibraryPath, md5: ContentDigest)]())
            for _ in 0..<30 {
                let one = Int.random(in: 0..<3, using: &generator)
                guard Int.random(in: 0..<3, using: &generator) > 0 else {
                    devices[one].join(devices[Int.random(in: 0..<3, using: &generator)])
                    continue
                }
                let change = try Self.change(&generator)
                let clock = UInt32.random(in: 1...UInt32.max, using: &generator)
                devices[one].apply([change], by: UInt32(one), trashed: clock)
                switch change {
                case .add(let entry, let replacing):
                    added.append(entry)
                    if let replacing, replacing != entry.md5 { gone.append((entry.path, replacing)) }
                case .trash(let path, let md5): gone.append((path, md5))
                case .restoreFromTrash, .describe: continue
                }
            }
            let ends = [[0, 1, 2], [2, 1, 0], [1, 2, 0]].map { Catalog.join(of: $0.map { devices[$0] }) }
            #expect(Set(ends.map(Self.bytes)).count == 1, "seed \(seed)")
            #expect(Set(ends.map(\.summary)).count == 1, "seed \(seed)")
            let shown = ends[0].entries.map(\.path)
            #expect(shown == shown.sorted() && Set(shown).count == shown.count, "seed \(seed): \(shown)")
            #expect(shown.count == ends[0].count, "seed \(seed)")
            for entry in added {
                let index = try #require(ends[0].index(of: entry.path, entry.md5), "seed \(seed)")
                let end = ends[0].records[index]
                #expect(end.hasFacts && end.size == entry.size, "seed \(seed)")
                // An entry that was neither trashed nor replaced is shown.
                let isGone = gone.contains { $0.path == entry.path && $0.md5 == entry.md5 }
                #expect(end.isPresent || isGone, "seed \(seed)")
            }
        }
    }

    @Test("the last trash operation in Lamport order wins regardless of the clocks")
    func clocks() throws {
        for clocks in [(ahead: UInt32(100), back: UInt32(1)), (ahead: 1, back: 100)] {
            var (phone, laptop) = (Catalog(), Catalog())
            phone.apply([try .photo("a.jpg", seed: 1)], by: 9)
            laptop.join(phone)
            let (path, md5) = (try #require(LibraryPath("a.jpg")), try ContentDigest.seeded(1))
            laptop.apply([.trash(path, md5)], by: 2, trashed: clocks.ahead)
            phone.join(laptop)
            phone.apply([.restoreFromTrash(path, md5)], by: 1, trashed: clocks.back)
            laptop.join(phone)
            #expect(laptop.holds(path, md5))
            laptop.apply([.trash(path, md5)], by: 0, trashed: clocks.back)
            phone.join(laptop)
            #expect(!phone.holds(path, md5))
        }
    }

    @Test("a purge wins over any trash date of the same change, but not over a later removal from the trash")
    func purged() throws {
        let (path, md5) = (try #require(LibraryPath("a.jpg")), try ContentDigest.seeded(1))
        var catalog = Catalog()
        catalog.apply([try .photo("a.jpg", seed: 1)], by: 1)
        catalog.apply([.trash(path, md5)], by: 1, trashed: .max)
        let before = catalog
        let purged = catalog.purged([md5])
        catalog.join(purged)
        catalog.join(before)
        #expect(catalog.isDeleted(path, md5) && catalog.trash.isEmpty && catalog.contentsWithTrash.isEmpty)
        #expect(catalog.purged([md5]).isEmpty, "the conflict is reported once")
        #expect(catalog.purgedContents == Set([md5]))
        catalog.apply([.restoreFromTrash(path, md5)], by: 2)
        catalog.join(purged)
        #expect(catalog.holds(path, md5) && catalog.purgedContents.isEmpty)
    }

    @Test("a trashed photo stays in the trash when a device without the catalog adds it again")
    func blindAdd() throws {
        var catalog = Catalog()
        let (path, md5) = (try #require(LibraryPath("a.jpg")), try ContentDigest.seeded(1))
        catalog.apply([try .photo("a.jpg", seed: 1), .trash(path, md5)])
        catalog.join(Catalog([try .photo("a.jpg", seed: 1)]))
        catalog.apply([try .photo("a.jpg", seed: 1)], by: 7)
        #expect(!catalog.holds(path, md5))
        catalog.apply([.restoreFromTrash(path, md5)], by: 7)
        #expect(catalog.summary == ["a.jpg 10"])
    }

    @Test("a photo that replaces its own replacement is no longer in the trash")
    func putBack() throws {
        var catalog = Catalog()
        catalog.apply([try .photo("a.jpg", seed: 1)])
        catalog.apply([try .photo("a.jpg", seed: 2, replacing: 1)])
        #expect(catalog.summary == ["a.jpg 20"])
        catalog.apply([try .photo("a.jpg", seed: 1, replacing: 2)])
        #expect(catalog.summary == ["a.jpg 10"])
    }

    @Test("known facts are kept when a device that cannot read them adds the photo again")
    func knownFacts() throws {
        let plain = try CatalogEntry.photo("a.jpg", seed: 1)
        let known = MediaFacts(
            taken: CaptureDate(Timestamp(seconds: -5, nanoseconds: 7), offset: -330), width: 40, height: 30,
            orientation: 6, location: GeoLocation("1 2"), color: PictureColor("a1b2c3"),
            duration: MediaDuration(milliseconds: 7), camera: CameraName("Apple iPhone"))
        let told = CatalogEntry(
            path: plain.path, md5: plain.md5, size: plain.size, modified: plain.modified, type: plain.type,
            media: known)
        for (first, second) in [(told, plain), (plain, told)] {
            var catalog = Catalog([.add(first, replacing: nil)], after: 0, by: .none, trashed: 1)
            catalog.join(Catalog([.add(second, replacing: nil)], after: 9, by: DeviceTag(value: 3), trashed: 1))
            #expect(catalog.entries.map(\.media) == [known])
            #expect(catalog.highestCounter == 10)
        }
    }

    @Test("a trash entry without a photo shows nothing and hides the photo when it is added")
    func trashFirst() throws {
        let (path, md5) = (try #require(LibraryPath("a.jpg")), try ContentDigest.seeded(1))
        var catalog = Catalog([.trash(path, md5)], after: 5, by: .none, trashed: 60)
        #expect(catalog.count == 0 && catalog.entries.isEmpty && catalog.contents.isEmpty)
        catalog.join(Catalog([try .photo("a.jpg", seed: 1)]))
        #expect(catalog.count == 0)
        catalog.apply([.restoreFromTrash(path, md5)])
        #expect(catalog.summary == ["a.jpg 10"])
    }
}
