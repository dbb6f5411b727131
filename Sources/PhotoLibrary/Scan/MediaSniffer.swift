import NIOCore

/// Tells photos and videos by their first bytes; a name decides only between the RAW formats that are all TIFF inside.
enum MediaSniffer {
    /// As many bytes as any test here looks at.
    static let headLength = 4096

    static func type(head: ByteBuffer, name: String) -> MediaType? {
        let head = ByteWindow(head)
        return image(head) ?? tiff(head, name) ?? box(head) ?? stream(head)
    }

    private static func image(_ head: ByteWindow) -> MediaType? {
        if head.has([0xff, 0xd8, 0xff]) { return .jpeg }
        if head.has([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return .png }
        if head.has("GIF87a") || head.has("GIF89a") { return .gif }
        if head.has("RIFF"), head.has("WEBP", at: 8) { return .webp }
        if head.has([0, 0, 0, 12]), head.has("JXL \r\n", at: 4) { return .jpegXL }
        if head.has("FUJIFILMCCD-RAW") { return .fujiRAF }
        if head.has("FOVb") { return .sigmaX3F }
        return nil
    }

    private static func tiff(_ head: ByteWindow, _ name: String) -> MediaType? {
        if head.has("IIRO") || head.has("IIRS") || head.has("MMOR") { return .olympusORF }
        if head.has([0x49, 0x49, 0x55, 0x00]) { return .panasonicRW2 }
        guard head.has([0x49, 0x49, 0x2a, 0x00]) || head.has([0x4d, 0x4d, 0x00, 0x2a]) else { return nil }
        if head.has("CR", at: 8) { return .canonCR2 }
        let ending = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[$0...].lowercased() }
        switch ending {
        case ".nef", ".nrw": return .nikonNEF
        case ".arw", ".sr2": return .sonyARW
        case ".dng": return .adobeDNG
        case ".pef": return .pentaxPEF
        case ".srw": return .samsungSRW
        default: return .tiff
        }
    }

    /// ISO base media (ISO/IEC 14496-12 section 4.3) and its QuickTime ancestor.
    private static func box(_ head: ByteWindow) -> MediaType? {
        guard head.has("ftyp", at: 4) else {
            // QuickTime before 2001 had no file type box.
            let first = ["moov", "mdat", "wide", "pnot"].contains { head.has($0, at: 4) }
            return first ? .quickTime : nil
        }
        guard let size = head.uint32(at: 0, .big), size >= 16, let major = head.text(at: 8, count: 4) else {
            return nil
        }
        let end = min(Int(size), head.count)
        let compatible = stride(from: 16, to: max(16, end - 3), by: 4).compactMap { head.text(at: $0, count: 4) }
        switch major {
        case "heic", "heix", "hevc", "hevx", "heim", "heis": return .heic
        case "avif", "avis": return .avif
        case "mif1", "msf1", "mif2", "miaf":
            if compatible.contains("avif") { return .avif }
            return compatible.contains("heic") || compatible.contains("heix") ? .heic : .heif
        case "crx ": return .canonCR3
        case "qt  ": return .quickTime
        case "M4A ", "M4B ", "M4P ", "F4A ", "F4B ": return nil
        default: return major.hasPrefix("3g") ? .mobile3GPP : video(major, compatible)
        }
    }

    private static func video(_ major: String, _ compatible: [String]) -> MediaType? {
        let brands = Set(compatible + [major])
        let known = ["isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V ", "M4VP", "MSNV", "XAVC"]
        return known.contains(where: brands.contains) ? .mp4 : nil
    }

    private static func stream(_ head: ByteWindow) -> MediaType? {
        if head.has("RIFF"), head.has("AVI ", at: 8) { return .avi }
        if head.has([0x1a, 0x45, 0xdf, 0xa3]) {
            let start = head.text(at: 0, count: min(64, head.count)) ?? ""
            return start.contains("webm") ? .webm : start.contains("matroska") ? .matroska : nil
        }
        if head.has([0, 0, 1, 0xba]) { return .mpegProgram }
        let packets = { (first: Int, length: Int) in (0..<4).allSatisfy { head.has([0x47], at: first + $0 * length) } }
        return packets(0, 188) || packets(4, 192) ? .mpegTransport : nil
    }
}
