/// The caption and rating of a photo in Immich, as an XMP packet (ISO 16684-1) in a file beside the photo.
enum ImmichSidecar {
    /// The longest caption in characters; the rest is left out.
    private static let longestCaption = 10_000

    /// Returns the packet; `nil` if there is nothing to record. The same facts give the same bytes.
    static func text(caption: String?, rating: Int?) -> String? {
        let caption = caption.flatMap { text in text.contains { !$0.isWhitespace } ? text : nil }
        let rating = rating.flatMap { (1...5).contains($0) ? $0 : nil }
        guard caption != nil || rating != nil else { return nil }
        let stars = rating.map { " xmp:Rating=\"\($0)\"" } ?? ""
        let description = caption.map {
            """

               <dc:description>
                <rdf:Alt>
                 <rdf:li xml:lang="x-default">\(escaped($0.prefix(longestCaption)))</rdf:li>
                </rdf:Alt>
               </dc:description>
            """
        }
        return """
            <?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" \
            xmlns:xmp="http://ns.adobe.com/xap/1.0/"\(stars)>\(description ?? "")
              </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """
    }

    /// Returns a text as character data of XML. Characters that XML does not have are left out.
    private static func escaped(_ text: Substring) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\r": escaped += "&#13;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case _ where scalar.value < 32 || scalar.value == 0xfffe || scalar.value == 0xffff: continue
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
