import NIOCore
import PhotoCatalog
import PhotolalaTesting
import Secrets
import Testing

@testable import ForeignExports

struct EnteDescriptionTests {
    private func read(_ text: String) -> EnteDescription? { EnteDescription.read(ByteBuffer(string: text)) }

    private func photo(_ text: String) -> EnteDescription.Photo? {
        if case .photo(let photo)? = read(text) { photo } else { nil }
    }

    private static let moment = Timestamp(seconds: Int64(EnteJSON.taken), nanoseconds: 0)

    @Test(
        "dates of all versions of the desktop app are read",
        arguments: [
            #""photoTakenTime":{"timestamp":"1688212800"},"creationTime":{"timestamp":"5"}"#,
            #""creationTime":{"timestamp":1688212800,"formatted":"x"}"#, #""creationTime":{"timestamp":"1688212800"}"#,
        ])
    func desktop(_ date: String) {
        let found = photo(#"{"title":"a.jpg",\#(date),"geoData":{"latitude":1.5,"longitude":2},"caption":"Rome"}"#)
        #expect(found?.taken == Self.moment && found?.isDateUnreadable == false)
        #expect(found?.location == GeoLocation(latitude: 1.5, longitude: 2))
        #expect(found?.hasCaption == true && found?.fileNames == [])
    }

    @Test("a photo of ente export has its files, number, date with any offset, place and description")
    func cli() {
        let found = photo(EnteJSON.cli(7, ["a.heic", "a.mov"]))
        #expect(found?.taken == Self.moment && found?.id == 7 && found?.fileNames == ["a.heic", "a.mov"])
        #expect(found?.location == GeoLocation(latitude: 48.5, longitude: 11.5) && found?.hasCaption == true)
        let other = photo(
            #"{"title":"a","location":null,"creationTime":"2023-07-01T14:00:00.25+02:00","info":{"id":1}}"#)
        #expect(other?.taken?.seconds == Self.moment.seconds && other?.location == nil && other?.hasCaption == false)
        let zero = photo(#"{"title":"a","creationTime":"0001-01-01T00:00:00Z","info":{}}"#)
        #expect(zero != nil && zero?.taken == nil && zero?.isDateUnreadable == false)
        #expect(photo(#"{"title":"a","creationTime":"yesterday","info":{}}"#)?.isDateUnreadable == true)
    }

    @Test("without place or date there is none")
    func missing() {
        let text = #"{"title":"a","creationTime":{"timestamp":0},"geoData":{"latitude":null,"longitude":null}}"#
        #expect(photo(text)?.taken == nil && photo(text)?.location == nil)
        #expect(photo(#"{"title":"a","creationTime":{"timestamp":"x"}}"#)?.isDateUnreadable == true)
    }

    @Test("albums, records and other files are told apart")
    func kinds() {
        #expect(
            read(#"{"id":1,"ownerID":2,"albumName":"Trip","isDeleted":false,"accountOwnerIDs":[2]}"#) == .album("Trip"))
        #expect(read(#"{"title":"a"}"#) == .other)
        #expect(read("[]") == nil && read("{") == nil && read("") == nil)
        let record = read(EnteJSON.record([("Trip", ["1": "a.jpg", "2": #"{"image":"b.heic","video":"b(1).mov"}"#])]))
        #expect(
            record == .record(EnteDescription.Record(ids: ["Trip/a.jpg": 1, "Trip/b.heic": 2, "Trip/b(1).mov": 2])))
        #expect(
            read(#"{"fileExportNames":{"x":"a","1_9_1":"b","2_1_1":3,"3_1_1":"{"},"collectionExportNames":{"1":"T"}}"#)
                == .record(EnteDescription.Record(ids: ["T/{": 3])))
    }

    @Test("mutated descriptions never crash")
    func mutated() {
        let texts = [EnteJSON.cli(7, ["a.heic", "a.mov"]), EnteJSON.record([("Trip", ["1": "a.jpg"])])]
        let (random, known) = (Randomness.seeded(1), Array(#"{}[]",:0e9-.\u"#.utf8))
        var found = 0
        for number in 0..<10_000 {
            var bytes = Array(texts[number % 2].utf8)
            let draw = random.bytes(3).map { Int($0) }
            bytes[(draw[0] << 8 | draw[1]) % bytes.count] = known[draw[2] % known.count]
            if EnteDescription.read(ByteBuffer(bytes: bytes)) != nil { found += 1 }
        }
        #expect((1..<10_000).contains(found))
    }
}
