import NIOCore
import PhotoCatalog
import PhotolalaTesting
import Secrets
import Testing

@testable import ForeignExports

struct TakeoutDescriptionTests {
    private func read(_ text: String) -> TakeoutDescription? { TakeoutDescription.read(ByteBuffer(string: text)) }

    private func photo(_ members: String, time: String = #"{"timestamp":"1510834665"}"#) -> TakeoutDescription.Photo? {
        read(#"{"title":"a.jpg",\#(members)"photoTakenTime":\#(time)}"#)?.photo
    }

    @Test("a description has title, date, place and marks")
    func whole() {
        let photo = photo(
            """
            "favorited":true,"archived":true,"trashed":false,"inLockedFolder":true,"url":"https://x/1",
            "description":" Rome ","geoData":{"latitude":48.1,"longitude":11.5,"altitude":0.0},
            "googlePhotosOrigin":{"fromPartnerSharing":{}},
            """)
        #expect(photo?.title == "a.jpg")
        #expect(photo?.taken == Timestamp(seconds: 1_510_834_665, nanoseconds: 0))
        #expect(photo?.location == GeoLocation(latitude: 48.1, longitude: 11.5))
        #expect(photo?.url == "https://x/1")
        let marks = [photo?.isFavorite, photo?.isArchived, photo?.isLocked, photo?.isFromPartner, photo?.hasCaption]
        #expect(marks.allSatisfy { $0 == true })
        #expect(photo?.isTrashed == false)
    }

    @Test("a description without a date keeps its marks")
    func withoutDate() {
        let (locked, wrong) = (
            read(#"{"title":"a.jpg","inLockedFolder":true}"#)?.photo, photo(#""archived":true,"#, time: "1")
        )
        #expect(locked?.isHidden == true && locked?.taken == nil && locked?.isDateUnreadable == false)
        #expect(wrong?.isHidden == true && wrong?.taken == nil && wrong?.isDateUnreadable == true)
        #expect(read(#"{"title":"a.jpg","archived":false}"#)?.photo?.isHidden == false)
    }

    @Test(
        "dates are seconds in UTC; 0 is no date, and milliseconds or a date before photography are not understood",
        arguments: [
            (#""-2082844800""#, -2_082_844_800, false), (#""-1""#, -1, false), ("1510834665", 1_510_834_665, false),
            (#""0""#, nil, false), (#""""#, nil, false), (#""abc""#, nil, true), ("1.5", nil, true),
            (#""9223372036854775807""#, nil, true), (#""1688212800000""#, nil, true), ("-5000000000", nil, true),
        ] as [(String, Int64?, Bool)])
    func dates(_ text: String, _ seconds: Int64?, _ isUnreadable: Bool) {
        let photo = photo("", time: #"{"timestamp":\#(text)}"#)
        #expect(photo?.taken?.seconds == seconds)
        #expect(photo?.isDateUnreadable == isUnreadable)
    }

    @Test("the place is the corrected one, else that of the file; 0 and 0 is none")
    func places() {
        let zero = #""geoData":{"latitude":0.0,"longitude":0.0},"#
        let exif = #""geoDataExif":{"latitude":-1.5,"longitude":2},"#
        #expect(photo(zero + exif)?.location == GeoLocation(latitude: -1.5, longitude: 2))
        #expect(photo(zero)?.location == nil)
        #expect(photo(#""geoData":{"latitude":95,"longitude":10},"#)?.location == nil)
        #expect(photo(#""geoData":{"latitude":0,"longitude":5},"#)?.location == GeoLocation(latitude: 0, longitude: 5))
    }

    @Test("albums are recognized by their content, in both forms")
    func albums() {
        #expect(read(#"{"title":"Trip","date":{"timestamp":"0"}}"#) == .album("Trip"))
        #expect(read(#"{"albumData":{"title":"Trip","date":{}}}"#) == .album("Trip"))
        #expect(read(#"{"title":"","description":"","access":"protected"}"#) == .album(""))
        #expect(read(#"{"title":["Trip"]}"#) == .other)
        #expect(read(#"{"externalOrderId":"1","category":"SHIPPED_PRINTS"}"#) == .other)
    }

    @Test("a byte order mark is skipped, and what is no object is unreadable")
    func malformed() {
        #expect(read("\u{feff}" + #"{"title":"Trip","date":{}}"#) == .album("Trip"))
        for text in ["", "[]", "{", "nonsense", #"{"a":1,"a":2}"#, String(repeating: "[", count: 70_000)] {
            #expect(read(text) == nil)
        }
        let long = #"{"title":"\#(String(repeating: "x", count: 70_000))","photoTakenTime":{"timestamp":"1"}}"#
        #expect(read(long)?.photo?.title?.count == 70_000)
        #expect(read(#"{"title":"\#(String(repeating: "x", count: 1 << 20))"}"#) == nil)
    }

    @Test("mutated descriptions never crash")
    func mutated() {
        let valid = Array(
            #"{"title":"a.jpg","geoData":{"latitude":48.1,"longitude":11.5},"photoTakenTime":{"timestamp":"15"}}"#.utf8)
        let (random, known) = (Randomness.seeded(1), Array(#"{}[]",:0e9-.\u"#.utf8))
        var photos = 0
        for _ in 0..<20_000 {
            var bytes = valid
            for _ in 0..<Int(random.bytes(1)[0] % 4) + 1 {
                let draw = random.bytes(4).map { Int($0) }
                let position = (draw[0] << 8 | draw[1]) % bytes.count
                if draw[2] % 3 == 0 {
                    bytes.remove(at: position)
                } else {
                    bytes[position] = draw[2] % 3 == 1 ? UInt8(draw[3]) : known[draw[3] % known.count]
                }
            }
            if TakeoutDescription.read(ByteBuffer(bytes: bytes))?.photo != nil { photos += 1 }
        }
        #expect((1..<20_000).contains(photos))
    }
}
