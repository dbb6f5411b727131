import NIOCore
import Testing

@testable import LibraryWebDAV

@Suite("Requested properties") struct PropertyRequestTests {
    private func parsed(_ text: String) throws -> PropertyRequest { try PropertyRequest(ByteBuffer(string: text)) }

    @Test("all properties, their names, or some of any namespace")
    func kinds() throws {
        #expect(try parsed("") == .all)
        #expect(try parsed("<propfind xmlns=\"DAV:\"><allprop/></propfind>") == .all)
        #expect(try parsed("<x:propfind xmlns:x='DAV:'><x:propname/></x:propfind>") == .names)
        let some = try parsed(
            """
            <?xml version="1.0" encoding="utf-8" ?>
            <D:propfind xmlns:D="DAV:"><D:prop xmlns:a = "http://a.example/?b&amp;c"><D:getetag/><a:color/><plain xmlns=""/>
            <b:c xmlns:b="urn:b" /></D:prop></D:propfind>
            """)
        #expect(
            some
                == .some([
                    PropertyName(name: "getetag", namespace: "DAV:"),
                    PropertyName(name: "color", namespace: "http://a.example/?b&c"),
                    PropertyName(name: "plain", namespace: nil), PropertyName(name: "c", namespace: "urn:b"),
                ]))
    }

    @Test(
        "anything else is refused",
        arguments: [
            "x", "<propfind/>", "<propfind xmlns=\"urn:x\"><allprop/></propfind>", "<D:propfind xmlns:D=\"DAV:\"/>",
            "<D:propfind xmlns:D=\"DAV:\"><allprop/></D:propfind>", "<propfind xmlns=DAV:><allprop/></propfind>",
            "<propfind xmlns=\"DAV:\" xmlns:a=\"\"><allprop/></propfind>",
            "<propfind xmlns=\"DAV:\" \((0..<16).map { "xmlns:a\($0)=\"u\"" }.joined(separator: " "))><allprop/></propfind>",
            "<!DOCTYPE a><propfind xmlns=\"DAV:\"><allprop/></propfind>",
            "<propfind xmlns=\"DAV:\"><prop>\(String(repeating: "<a/>", count: 101))</prop></propfind>",
        ])
    func refused(_ text: String) { #expect(throws: MalformedPropertyRequest.self) { try parsed(text) } }
}
