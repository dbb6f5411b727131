/// Byte sequences that have a meaning in a format.
enum FuzzTokens: Sendable {
    case plain, json, xml, http, csv, photo

    /// These tokens and those common to all formats.
    var all: [[UInt8]] { Self.everywhere + own }

    private var own: [[UInt8]] {
        switch self {
        case .plain: []
        case .json: Self.bytes(Self.jsonTokens)
        case .xml: Self.bytes(Self.xmlTokens)
        case .http: Self.bytes(Self.httpTokens)
        case .csv: Self.bytes(["\"", "\"\"", ",", "\n", "\r\n", "\r", "./", "../", "=1+1", "\u{feff}", ",,,,,,,"])
        case .photo:
            Self.bytes(["Exif", "Exif\0\0", "meta", "iinf", "infe", "iloc", "ftyp", "eXIf", "MM\0*", "II*\0"]) + [
                [0xff, 0xe1], [0xff, 0xff, 0xff, 0xff], [0, 0, 0, 0], [0, 0, 0, 1], [0x7f, 0xff, 0xff, 0xff],
                [0x88, 0x88], [0x69, 0x87],
            ]
        }
    }

    /// The largest and smallest numbers, bytes that are not text, and misleading text.
    private static let everywhere: [[UInt8]] =
        bytes(numbers)
        + bytes(["\u{301}", "\u{feff}", "\u{2028}", "\u{202e}", "\u{200d}", "é", "e\u{301}", "\0", "\n"])
        + [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x7f], [0x1f]]

    static let numbers = [
        "0", "-1", "-0", "00", "+1", "1e309", "-1e309", "1e-400", "0.1", "127", "128", "255", "256", "65535", "65536",
        "2147483647", "2147483648", "4294967296", "9007199254740993", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551616", "99999999999999999999999999", "NaN",
        "inf", "0x7f", "1_000", "٣",
    ]

    private static let jsonTokens = [
        "{", "}", "[", "]", ":", ",", "\"", "\\", "\\u0000", "\\ud800", "\\udc00\\ud800", "\\u", "null", "true",
        "false",
        "{}", "[]", "\"\"", "\"a\":1,", "\"alg\":\"none\"", "{\"a\":", "[[[[", "\"2026-11-22T00:00:00Z\"",
        "\"9999999999-01-01T00:00:00Z\"", "\"0000-00-00T24:60:61Z\"",
    ]

    private static let xmlTokens = [
        "<", ">", "</", "/>", "<a>", "</a>", "<a:b>", " a='b'", "&", ";", "&amp;", "&lt", "&#0;", "&#xD800;",
        "&#x110000;",
        "&#99999999999;", "&b;", "<![CDATA[", "]]>", "<!--", "-->", "<?xml version=\"1.0\"?>", "<?a?>",
        "<!DOCTYPE a [<!ENTITY b \"cccccccccc\">]>", "<!DOCTYPE a SYSTEM \"file:///etc/passwd\">",
    ]

    private static let httpTokens = [
        "\r\n", "\r\n\r\n", "\r", ": ", ":", ",", ";", "=", "&", "?", "#", "/", "//", "/../", "/./", "%", "%0", "%00",
        "%2F",
        "%2f", "%25", "%ff", "%C3%A9", "+", "*", "\"", "W/\"", "bytes=", "-", " ", "\t", "Host: a\r\n",
        "Content-Length: 0\r\n", "Content-Length: 18446744073709551615\r\n", "Transfer-Encoding: chunked\r\n",
        "Expect: 100-continue\r\n", "Connection: close\r\n", "X-Amz-Signature=", "x-amz-meta-a: b\r\n",
        "AWS4-HMAC-SHA256", ";chunk-signature=", "0\r\n\r\n", "ffffffffffff\r\n", "7fffffffffffffff\r\n",
        "UNSIGNED-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "Sun, 06 Nov 1994 08:49:37 GMT", "20261122T000000Z",
    ]

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
}
