import S3Protocol
import Testing

struct XMLReaderTests {
    @Test("names, text, entities and character references are parsed")
    func reads() throws {
        let node = try XMLReader.read(
            ("<?xml version=\"1.0\"?>\n<s3:Delete xmlns:s3='x'>"
                + "<Object><Key>a&amp;b&lt;&#x1F4F7;&#10;</Key><ETag/></Object>\n</s3:Delete>\n").utf8
        )
        #expect(node.name == "Delete")
        #expect(node.children.first?.value("Key") == "a&b<\u{1F4F7}\n")
        #expect(node.children.first?.value("ETag") == "")
        #expect(try XMLReader.read("<a\tb='c' >1<d/>2</a\n>".utf8).text == "12")
    }

    @Test(
        "malformed XML and unsupported features are rejected",
        arguments: [
            "", "x", "<", "<a", "<a>", "<a></b>", "<a/><b/>", "</a>", "<a>&x;</a>", "<a>&#0;</a>" + "x",
            "<a>&#xD800;</a>",
            "<a>&amp</a>", "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "<a><!-- x --></a>", "<a><![CDATA[x]]></a>",
            "<a><?x ?></a>", "<?xml", "< a></a>", "<a><a><a><a><a><a><a><a><a></a></a></a></a></a></a></a></a></a>",
            "<a>&#99999999999;</a>", "<a>&#-1;</a>", "<a></a b>", "<a></ a>", "<a\u{a0}></a>",
        ])
    func refused(_ document: String) { #expect(throws: XMLError.self) { try XMLReader.read(document.utf8) } }

    @Test func `bytes that are not UTF-8 are refused`() {
        #expect(throws: XMLError.self) { try XMLReader.read(Array("<a><b".utf8) + [0xef, 0xbe] + Array("></a>".utf8)) }
    }
}
