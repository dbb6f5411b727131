/// File name extensions by media type.
package enum FileExtensions {
    /// The usual extension of each known type, without the dot.
    static let usual: [(type: MediaType, ending: String)] = [
        (.jpeg, "jpg"), (.png, "png"), (.gif, "gif"), (.webp, "webp"), (.heic, "heic"), (.heif, "heif"),
        (.avif, "avif"), (.jpegXL, "jxl"), (.tiff, "tiff"), (.bitmap, "bmp"), (.jpeg2000, "jp2"),
        (.jpeg2000Extended, "jpx"), (.jpeg2000Compound, "jpm"), (.jpeg2000Codestream, "j2k"), (.jpegXR, "jxr"),
        (.photoshop, "psd"), (.photoshopLarge, "psb"), (.gimp, "xcf"), (.openEXR, "exr"), (.radiance, "hdr"),
        (.canonCR2, "cr2"), (.canonCR3, "cr3"), (.canonCRW, "crw"), (.nikonNEF, "nef"), (.sonyARW, "arw"),
        (.sonySRF, "srf"), (.adobeDNG, "dng"), (.pentaxPEF, "pef"), (.samsungSRW, "srw"), (.fujiRAF, "raf"),
        (.olympusORF, "orf"), (.panasonicRW2, "rw2"), (.sigmaX3F, "x3f"), (.minoltaMRW, "mrw"),
        (.phaseOneIIQ, "iiq"), (.hasselblad3FR, "3fr"), (.hasselbladFFF, "fff"), (.epsonERF, "erf"),
        (.kodakKDC, "kdc"), (.kodakDCR, "dcr"), (.kodakK25, "k25"), (.mamiyaMEF, "mef"), (.leafMOS, "mos"),
        (.goProGPR, "gpr"),
        (.quickTime, "mov"), (.mp4, "mp4"), (.mobile3GPP, "3gp"), (.avi, "avi"), (.webm, "webm"),
        (.matroska, "mkv"), (.mpegTransport, "mts"), (.mpegProgram, "mpg"), (.windowsMedia, "wmv"), (.flash, "flv"),
        (.ogg, "ogv"), (.motionJPEG2000, "mj2"), (.digitalVideo, "dv"), (.materialExchange, "mxf"),
    ]

    /// Other extensions of the same types.
    static let others: [String: MediaType] = [
        "jpeg": .jpeg, "jpe": .jpeg, "mpo": .jpeg, "tif": .tiff, "heics": .heic, "heifs": .heif, "hif": .heif,
        "jpf": .jpeg2000Extended, "j2c": .jpeg2000Codestream, "jpc": .jpeg2000Codestream, "wdp": .jpegXR,
        "hdp": .jpegXR, "nrw": .nikonNEF, "sr2": .sonyARW, "rwl": .panasonicRW2, "ptx": .pentaxPEF, "m4v": .mp4,
        "3g2": .mobile3GPP, "m2ts": .mpegTransport, "mpeg": .mpegProgram, "asf": .windowsMedia, "dif": .digitalVideo,
    ]

    /// Extensions of photos and videos whose formats the sniffer does not recognize.
    private static let unread: Set<String> = [
        "tga", "pcx", "pict", "pct", "sgi", "dpx", "cin", "ari", "braw", "r3d", "bay", "cap", "eip", "rm", "rmvb",
        "wtv",
        "divx", "vob", "m2v", "mpv", "mod", "tod", "qt", "jng", "mng", "bpg", "flif", "qoi", "jps", "insp", "insv",
    ]

    private static let all = Set(usual.map(\.ending)).union(others.keys).union(unread)

    private static let types = others.merging(usual.map { ($0.ending, $0.type) }) { $1 }

    /// Returns the type that a photo, video or sidecar with this name usually has; `nil` if there is none.
    package static func usualType(of name: String) -> MediaType? {
        SidecarName(name)?.type ?? types[fileExtension(of: name)]
    }

    /// Returns the lower-case extension of a name without the dot; empty if there is none.
    static func fileExtension(of name: String) -> String {
        name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[$0...].dropFirst().lowercased() } ?? ""
    }

    /// Returns whether a user would expect a file with this name to be a photo or video. Names beginning with `._` are
    /// macOS metadata files on other file systems.
    package static func isNamedLikeMedia(_ name: String) -> Bool {
        !name.hasPrefix("._") && all.contains(fileExtension(of: name))
    }
}
