import Testing

@testable import S3Protocol

struct AWSPercentEncodingTests {
    @Test("only unreserved characters are not encoded")
    func unreserved() {
        #expect(AWSPercentEncoding.encode("AZaz09-._~") == "AZaz09-._~")
        #expect(AWSPercentEncoding.encode("a b+c/ü%") == "a%20b%2Bc%2F%C3%BC%25")
        #expect(AWSPercentEncoding.encode("/a b/c", keepingSlash: true) == "/a%20b/c")
    }

    @Test("decoding reverses encoding", arguments: ["", "a/b c", "ü+%41", "\u{1F4F7}", "e\u{301}"])
    func roundTrip(_ text: String) {
        #expect(AWSPercentEncoding.decode(AWSPercentEncoding.encode(text))?.utf8.elementsEqual(text.utf8) == true)
    }

    @Test("malformed escapes and UTF-8 are rejected", arguments: ["%", "%4", "%zz", "a%", "%ff", "%c3", "%+1"])
    func broken(_ text: String) { #expect(AWSPercentEncoding.decode(text) == nil) }

    @Test("a query keeps plus signs, gives missing values as empty and skips empty items")
    func query() throws {
        let items = try #require(AWSPercentEncoding.parseQuery("a=1+2&uploads&&b=%3D&c=x=y"))
        #expect(items.map(\.name) == ["a", "uploads", "b", "c"])
        #expect(items.map(\.value) == ["1+2", "", "=", "x=y"])
    }
}
