import NIOCore

/// The recognition of photos and videos by their first bytes. The name is used only to distinguish RAW formats that are
/// based on TIFF, and if the first bytes are ambiguous.
package enum MediaSniffer {
    /// The number of bytes that the tests need.
    package static let headLength = 4096

    package static func type(head: ByteBuffer, name: String) -> MediaType? {
        let (head, ending) = (ByteWindow(head), FileExtensions.fileExtension(of: name))
        return image(head, ending) ?? raw(head) ?? tiff(head, ending) ?? box(head) ?? stream(head, ending)
    }

    private static func image(_ head: ByteWindow, _ ending: String) -> MediaType? {
        if head.has([0xff, 0xd8, 0xff]) { return .jpeg }
        if head.has([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return .png }
        if head.has("GIF87a") || head.has("GIF89a") { return .gif }
        if head.has("RIFF"), head.has("WEBP", at: 8) { return .webp }
        if head.has([0, 0, 0, 12]), head.has("JXL \r\n", at: 4) { return .jpegXL }
        // Two bytes alone are ambiguous.
        if head.has([0xff, 0x0a]), ending == "jxl" { return .jpegXL }
        if head.has("BM"), let header = head.uint32(at: 14, .little),
            [12, 16, 40, 52, 56, 64, 108, 124].contains(header)
        {
            return .bitmap
        }
        if head.has([0xff, 0x4f, 0xff, 0x51]) { return .jpeg2000Codestream }
        if head.has([0x49, 0x49, 0xbc]) { return .jpegXR }
        if head.has("8BPS") {
            return head.has([0, 2], at: 4) ? .photoshopLarge : head.has([0, 1], at: 4) ? .photoshop : nil
        }
        if head.has("gimp xcf ") { return .gimp }
        if head.has([0x76, 0x2f, 0x31, 0x01]) { return .openEXR }
        return head.has("#?RADIANCE") || head.has("#?RGBE") ? .radiance : nil
    }

    /// Recognizes RAW formats with a signature of their own.
    private static func raw(_ head: ByteWindow) -> MediaType? {
        if head.has("FUJIFILMCCD-RAW") { return .fujiRAF }
        if head.has("FOVb") { return .sigmaX3F }
        if head.has("HEAPCCDR", at: 6) { return .canonCRW }
        if head.has([0, 0x4d, 0x52, 0x4d]) { return .minoltaMRW }
        if head.has("IIRO") || head.has("IIRS") || head.has("MMOR") { return .olympusORF }
        if head.has([0x49, 0x49, 0x55, 0x00]) { return .panasonicRW2 }
        // Phase One's header is at the beginning of the file, or after the TIFF header.
        for start in [0, 8] {
            if head.has("IIII", at: start), head.has("waR", at: start + 5) { return .phaseOneIIQ }
            if head.has("MMMM", at: start), head.has("Raw", at: start + 4) { return .phaseOneIIQ }
        }
        return nil
    }

    private static func tiff(_ head: ByteWindow, _ ending: String) -> MediaType? {
        guard head.has([0x49, 0x49, 0x2a, 0x00]) || head.has([0x4d, 0x4d, 0x00, 0x2a]) else { return nil }
        if head.has("CR", at: 8) { return .canonCR2 }
        return tiffExtensions[ending] ?? .tiff
    }

    private static let tiffExtensions: [String: MediaType] = [
        "nef": .nikonNEF, "nrw": .nikonNEF, "arw": .sonyARW, "sr2": .sonyARW, "srf": .sonySRF, "dng": .adobeDNG,
        "pef": .pentaxPEF, "ptx": .pentaxPEF, "srw": .samsungSRW, "iiq": .phaseOneIIQ, "3fr": .hasselblad3FR,
        "fff": .hasselbladFFF, "erf": .epsonERF, "kdc": .kodakKDC, "dcr": .kodakDCR, "k25": .kodakK25,
        "mef": .mamiyaMEF, "mos": .leafMOS, "gpr": .goProGPR,
    ]

    /// Recognizes ISO base media files (ISO/IEC 14496-12 section 4.3) and their QuickTime predecessor.
    private static func box(_ head: ByteWindow) -> MediaType? {
        if head.has([0, 0, 0, 12]), head.has("jP  ", at: 4) { return jpeg2000(head) }
        guard head.has("ftyp", at: 4) else {
            // QuickTime files from before 2001 have no file type box.
            let first = ["moov", "mdat", "wide", "pnot"].contains { head.has($0, at: 4) }
            return first ? .quickTime : nil
        }
        guard let size = head.uint32(at: 0, .big), size >= 16, let major = head.text(at: 8, count: 4) else {
            return nil
        }
        let end = min(Int(size), head.count)
        let compatible = stride(from: 16, to: max(16, end - 3), by: 4).compactMap { head.text(at: $0, count: 4) }
        switch major {
        case "heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs": return .heic
        case "avci", "avcs", "jpeg", "jpgs", "j2ki", "j2is", "vvic", "vvis": return .heif
        case "avif", "avis": return .avif
        case "mif1", "msf1", "mif2", "mif3", "miaf":
            if compatible.contains("avif") || compatible.contains("avis") { return .avif }
            return ["heic", "heix", "hevc", "hevx"].contains(where: compatible.contains) ? .heic : .heif
        case "crx ": return .canonCR3
        case "qt  ": return .quickTime
        case "M4A ", "M4B ", "M4P ", "F4A ", "F4B ": return nil
        default: return major.hasPrefix("3g") ? .mobile3GPP : video(major, compatible)
        }
    }

    private static func video(_ major: String, _ compatible: [String]) -> MediaType? {
        let brands = Set(compatible + [major])
        let known = [
            "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42", "avc1", "hvc1",
            "av01",
            "M4V ", "M4VH", "M4VP", "F4V ", "MSNV", "XAVC", "dash", "cmfc",
        ]
        if known.contains(where: brands.contains) { return .mp4 }
        return brands.contains("qt  ") ? .quickTime : nil
    }

    /// Recognizes the format by the box after the signature (ISO/IEC 15444-1 annex I.5).
    private static func jpeg2000(_ head: ByteWindow) -> MediaType? {
        guard head.has("ftyp", at: 16) else { return nil }
        switch head.text(at: 20, count: 4) {
        case "jp2 ": return .jpeg2000
        case "jpx ", "jpxb": return .jpeg2000Extended
        case "jpm ": return .jpeg2000Compound
        case "mjp2", "mj2s": return .motionJPEG2000
        default: return nil
        }
    }

    private static func stream(_ head: ByteWindow, _ ending: String) -> MediaType? {
        if head.has("RIFF"), head.has("AVI ", at: 8) { return .avi }
        if head.has([0x1a, 0x45, 0xdf, 0xa3]) {
            let start = head.text(at: 0, count: min(64, head.count)) ?? ""
            return start.contains("webm") ? .webm : start.contains("matroska") ? .matroska : nil
        }
        if head.has([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9, 0x00, 0xaa, 0x00, 0x62, 0xce, 0x6c]) {
            // Audio files have the same header. A video has a stream of this type, which may be further on in the file.
            return head.contains(asfVideo) || ["wmv", "asf"].contains(ending) ? .windowsMedia : nil
        }
        if head.has("FLV"), let kinds = head.uint8(at: 4) { return kinds & 1 == 1 ? .flash : nil }
        if head.has("OggS") { return oggVideo.contains(where: head.contains) ? .ogg : nil }
        // The header block of digital video, for 60 and 50 fields.
        if head.has([0x1f, 0x07, 0x00, 0x3f]) || head.has([0x1f, 0x07, 0x00, 0xbf]) { return .digitalVideo }
        if head.has([0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0d, 0x01, 0x02]) { return .materialExchange }
        if head.has([0, 0, 1, 0xba]) || head.has([0, 0, 1, 0xb3]) { return .mpegProgram }
        let packets = { (first: Int, length: Int) in (0..<4).allSatisfy { head.has([0x47], at: first + $0 * length) } }
        return packets(0, 188) || packets(4, 192) ? .mpegTransport : nil
    }

    private static let asfVideo: [UInt8] = [
        0xc0, 0xef, 0x19, 0xbc, 0x4d, 0x5b, 0xcf, 0x11, 0xa8, 0xfd, 0x00, 0x80, 0x5f, 0x5c, 0x44, 0x2b,
    ]
    /// The signatures of Theora, Dirac, VP8 and OGM video.
    private static let oggVideo: [[UInt8]] = [
        [0x80] + Array("theora".utf8), Array("BBCD\0".utf8), Array("OVP80".utf8), [0x01] + Array("video".utf8),
    ]
}
