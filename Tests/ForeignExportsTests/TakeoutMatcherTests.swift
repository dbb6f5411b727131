import Testing

@testable import ForeignExports

struct TakeoutMatcherTests {
    /// Returns the description of each photo, by name.
    private func match(
        _ descriptions: [String], _ photos: [String], titles: [String: String] = [:]
    ) -> [String: [String]] {
        let matcher = TakeoutMatcher(descriptions.map { ($0, titles[$0]) })
        var found: [String: [String]] = [:]
        for (photo, match) in zip(photos, matcher.matches(of: photos)) {
            if let match { found[photo] = match.descriptions.map { descriptions[$0] } }
        }
        return found
    }

    @Test("names that were seen in Takeouts belong together", arguments: TakeoutNameCorpus.matching)
    func matching(_ pair: TakeoutNameCorpus.Pair) {
        let titles = pair.title.map { [pair.description: $0] } ?? [:]
        #expect(match([pair.description], [pair.photo], titles: titles) == [pair.photo: [pair.description]])
    }

    @Test("similar names of different photos do not belong together", arguments: TakeoutNameCorpus.different)
    func different(_ pair: TakeoutNameCorpus.Pair) {
        #expect(match([pair.description], [pair.photo]).isEmpty)
    }

    @Test("numbers of duplicates are those of the photos, also of edited versions")
    func numbers() {
        let first = "Negative0-36-35(1).jpg.supplemental-metadata.json"
        let second = "Negative0-36-35(1).jpg.supplemental-metadata(1).json"
        let photos = [
            "Negative0-36-35(1).jpg", "Negative0-36-35(1)-editat.jpg", "Negative0-36-35(1)(1).jpg",
            "Negative0-36-35(1)-editat(1).jpg",
        ]
        #expect(
            match([first, second], photos) == [
                photos[0]: [first], photos[1]: [first], photos[2]: [second], photos[3]: [second],
            ])
        #expect(
            match(["a.jpg.json", "a.jpg(1).json"], ["a.jpg", "a(1).jpg", "a-edited.jpg", "a-edited(1).jpg"]) == [
                "a.jpg": ["a.jpg.json"], "a(1).jpg": ["a.jpg(1).json"], "a-edited.jpg": ["a.jpg.json"],
                "a-edited(1).jpg": ["a.jpg(1).json"],
            ])
    }

    @Test("a photo whose title ends like an edited version has its own description")
    func titleLikeEdited() {
        #expect(
            match(["image-edited.jpg.json", "image.jpg.json"], ["image-edited.jpg", "image.jpg"]) == [
                "image-edited.jpg": ["image-edited.jpg.json"], "image.jpg": ["image.jpg.json"],
            ])
    }

    @Test("titles decide between truncated names that are equal")
    func titles() {
        let stem = String(repeating: "a", count: 46)
        let titles = ["\(stem).json": "\(stem)a.png", "\(stem)(1).json": "\(stem)a.HEIC"]
        let photos = ["\(stem)a.png", "\(stem).HEIC"]
        #expect(
            match(["\(stem).json", "\(stem)(1).json"], photos, titles: titles) == [
                photos[0]: ["\(stem).json"], photos[1]: ["\(stem)(1).json"],
            ])
    }

    @Test("equal titles of truncated names are decided by the number")
    func equalTitles() {
        let stem = String(repeating: "b", count: 46)
        let titles = ["\(stem).json": "\(stem)bbb.jpg", "\(stem)(1).json": "\(stem)bbb.jpg"]
        let photos = ["\(stem)b.jpg", "\(stem)b(1).jpg"]
        #expect(
            match(["\(stem).json", "\(stem)(1).json"], photos, titles: titles) == [
                photos[0]: ["\(stem).json"], photos[1]: ["\(stem)(1).json"],
            ])
    }

    @Test("numbers do not decide between titles if the descriptions are numbered together with other photos")
    func shiftedNumbers() {
        let stem = String(repeating: "d", count: 46)
        let titles = [
            "\(stem).json": "\(stem)z.jpg", "\(stem)(1).json": "\(stem)b-X.jpg", "\(stem)(2).json": "\(stem)b-Y.jpg",
        ]
        let found = match(titles.keys.sorted(), ["\(stem)z.jpg", "\(stem)b.jpg", "\(stem)b(1).jpg"], titles: titles)
        #expect(found["\(stem)z.jpg"] == ["\(stem).json"])
        for name in ["\(stem)b.jpg", "\(stem)b(1).jpg"] {
            #expect(found[name]?.sorted() == ["\(stem)(1).json", "\(stem)(2).json"])
        }
    }

    @Test("among hundreds of equal truncated names the title decides, or none is chosen")
    func manyTitles() {
        let stem = String(repeating: "e", count: 46)
        var titles = Dictionary(uniqueKeysWithValues: (0..<300).map { ("\(stem)(\($0)).json", "\(stem)b-\($0).jpg") })
        titles["\(stem)(300).json"] = "\(stem)z.jpg"
        let found = match(titles.keys.sorted(), ["\(stem)z(5).jpg", "\(stem)b(5).jpg"], titles: titles)
        #expect(found["\(stem)z(5).jpg"] == ["\(stem)(300).json"])
        #expect(found["\(stem)b(5).jpg"]?.count == 2)
    }

    @Test("the title finds a photo whose name has replaced characters, but not one of another format")
    func replacedCharacters() {
        let titles = ["x.json": "50% off?.heic", "y.json": "motion.gif"]
        #expect(
            match(["x.json", "y.json"], ["50_ off_.jpg", "motion.jpg"], titles: titles) == ["50_ off_.jpg": ["x.json"]])
    }

    @Test("names in decomposed form are those in composed form")
    func normalization() {
        #expect(match(["caf\u{e9}.jpg.json"], ["cafe\u{301}.jpg"]).count == 1)
    }

    @Test("edited versions and videos are told apart from originals")
    func kinds() {
        let matcher = TakeoutMatcher([("IMG_1.HEIC.json", nil)])
        let kinds = matcher.matches(of: ["IMG_1.HEIC", "IMG_1-edited.jpg", "IMG_1.MP4", "IMG_2.jpg"]).map { $0?.kind }
        #expect(kinds == [.original, .edited, .companion, nil])
    }

    @Test("ten thousand long names with one beginning are matched within the limits", .timeLimit(.minutes(1)))
    func manyLongNames() {
        let stem = String(repeating: "c", count: 46)
        let descriptions = (0..<10_000).map { ("\(stem)(\($0)).json", String?.some("\(stem)cc.jpg")) }
        let photos = (0..<10_000).map { "\(stem)c(\($0)).jpg" }
        let matches = TakeoutMatcher(descriptions).matches(of: photos)
        #expect(matches.enumerated().allSatisfy { $1?.descriptions == [$0] })
    }

    @Test(
        "ten thousand videos and edited versions without a description take no quadratic time", .timeLimit(.minutes(1)))
    func manyUnmatched() {
        let descriptions = (0..<10_000).map { ("IMG_\($0).jpg.json", String?.some("IMG_\($0).jpg")) }
        let photos = (0..<5000).flatMap { ["MOV_\($0).mp4", "PIC_\($0)-edited.jpg"] }
        #expect(TakeoutMatcher(descriptions).matches(of: photos).allSatisfy { $0 == nil })
    }

    @Test("a number that may be the title's or Google's leaves both descriptions possible")
    func numberInTitle() {
        let descriptions = ["a(1).jpg.supplemental-metadata.json", "a.jpg.supplemental-metadata(1).json"]
        #expect(match(descriptions, ["a(1).jpg"])["a(1).jpg"].map(Set.init) == Set(descriptions))
    }
}
