/// Names of descriptions and photos that were seen in Takeouts, with the title if the names alone do not decide.
enum TakeoutNameCorpus {
    typealias Pair = (description: String, photo: String, title: String?)

    static let matching: [Pair] = [
        ("PXL_20211013_220651983.jpg.json", "PXL_20211013_220651983.jpg", nil),
        ("DSC_0101.JPG(1).json", "DSC_0101(1).JPG", nil),
        ("IMG_2710.HEIC(1).json", "IMG_2710(1).HEIC", nil),
        ("IMG_4081.JPG(1).json", "IMG_4081(1).jpg", nil),
        ("IMG_3479.JPG(2).json", "IMG_3479(2).JPG", nil),
        ("Scan35.jpg.supplemental-metadata(1).json", "Scan35(1).jpg", nil),
        ("CLIP0001.AVI.supplemental-metadata(10).json", "CLIP0001(10).AVI", nil),
        ("PXL_1.MP.jpg.supplemental-metadata(1).json", "PXL_1.MP(1).jpg", nil),
        ("Photo0549 - Copy.jpg.supplemental-metadata(1).json", "Photo0549 - Copy(1).jpg", nil),
        ("README.supplemental-metadata(1).json", "README(1)", nil),
        ("Negative0-36-35(1).jpg.supplemental-metadata.json", "Negative0-36-35(1).jpg", nil),
        ("Negative0-36-35(1).jpg.supplemental-metadata.json", "Negative0-36-35(1)-editat.jpg", nil),
        ("Negative0-36-35(1).jpg.supplemental-metadata(1).json", "Negative0-36-35(1)(1).jpg", nil),
        ("Screenshot_20231027_123303_Facebook.jpg.supple.json", "Screenshot_20231027_123303_Facebook.jpg", nil),
        ("Screenshot_20231027_123303_Facebook.jpg.supple(1).json", "Screenshot_20231027_123303_Facebook(1).jpg", nil),
        ("Screenshot_20231027_123303_Facebook.jpg.supple.json", "Screenshot_20231027_123303_Facebook-edited.jpg", nil),
        ("MVIMG_20191230_232926.jpg.supplemental-metadat.json", "MVIMG_20191230_232926.jpg", nil),
        ("Screenshot_20200301-161151.png.supplemental-me.json", "Screenshot_20200301-161151.png", nil),
        ("MVIMG_20200207_134534~2.jpg.supplemental-metad.json", "MVIMG_20200207_134534~2.jpg", nil),
        (
            "PXL_20230814_201154491.LONG_EXPOSURE-01.COVER..json", "PXL_20230814_201154491.LONG_EXPOSURE-01.COVER.jpg",
            nil
        ),
        (
            "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGIN.json",
            "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg", nil
        ),
        ("05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w0 2.jp.json", "05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w0 2.jpg", nil),
        ("😀😃😄😁😆😅😂🤣🥲☺️😊😇🙂🙃😉😌😍🥰😘😗😙😚😋.json", "😀😃😄😁😆😅😂🤣🥲☺️😊😇🙂🙃😉😌😍🥰😘😗😙😚😋😛.jpg", nil),
        (
            "Backyard_ceremony_wedding_photography_xxxxxxx_(494).json",
            "Backyard_ceremony_wedding_photography_xxxxxxx_m(494).jpg", nil
        ),
        (
            "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json",
            "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P.jpg", nil
        ),
        (
            "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json",
            "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P(1).jpg", nil
        ),
        (
            "13039_327707840323_537645323_9470255_27214_n.j(1).json",
            "13039_327707840323_537645323_9470255_27214_n(1).jpg", nil
        ),
        (
            "Screenshot_2024-08-31-00-53-48-647_com.snapcha.json",
            "Screenshot_2024-08-31-00-53-48-647_com.snapchat.jpg", nil
        ),
        ("Urlaub in Knaufspesch in der Schneifel (38).JP.json", "Urlaub in Knaufspesch in der Schneifel (38).JPG", nil),
        (
            "00100lPORTRAIT_00100_BURST20190512105520444_CO.json",
            "00100lPORTRAIT_00100_BURST20190512105520444_COV.jpg", nil
        ),
        ("27_06_12 - 2.json", "27_06_12 - 2.jpg", "27/06/12 - 2"),
        ("27_06_12 - 1.mov.json", "27_06_12 - 1.mov", "27/06/12 - 1"),
        ("Peanut Butter Balls.supplemental-metadata.json", "Peanut Butter Balls.jpg", nil),
        ("2234089303984509579.supplemental-metadata.json", "2234089303984509579.jpg", nil),
        ("2234089303984509579.supplemental-metadata.json", "2234089303984509579-edited.jpg", nil),
        ("2013-12-23.supplemental-metadata(1).json", "2013-12-23(1).jpg", nil),
        ("PXL_20220405_090123740.PORTRAIT.jpg.json", "PXL_20220405_090123740.PORTRAIT-modifié.jpg", nil),
        ("IMAG0061.JPG.supplemental-metadata.json", "IMAG0061-edited.JPG", nil),
        ("IMG-20230325-WA0122~2.jpg.supplemental-metadat.json", "IMG-20230325-WA0122~2-edited.jpg", nil),
        ("IMG_20120216_094016.jpg.supplemental-metadata.json", "IMG_20120216_094016-edited(1).jpg", nil),
        ("simple_file_20200101.jpg.json", "simple_file_20200101-edited(1).jpg", nil),
        ("IMG_1234.HEIC.json", "IMG_1234-edited.jpg", nil),
        ("PXL_20221228_185930354.MP.jpg.json", "PXL_20221228_185930354.MP.jpg", nil),
        ("PXL_20221228_185930354.MP.jpg.json", "PXL_20221228_185930354.MP", nil),
        ("PXL_20210102_221126856.MP~2.jpg.json", "PXL_20210102_221126856.MP~2.jpg", nil),
        ("PXL_20210102_221126856.MP~2.jpg.json", "PXL_20210102_221126856.MP~2", nil),
        ("IMG_4573.HEIC.json", "IMG_4573.HEIC", nil),
        ("IMG_4573.HEIC.json", "IMG_4573.MP4", nil),
        ("20231227_152817.jpg.json", "20231227_152817.MP4", nil),
        ("IMG_4488.HEIC.supplemental-metadata(1).json", "IMG_4488(1).MP4", nil),
        ("IMG_4488.HEIC.supplemental-metadata(1).json", "IMG_4488(1).HEIC", nil),
        (
            "00100lPORTRAIT_00100_BURST20190915164304772_CO.json",
            "00100lPORTRAIT_00100_BURST20190915164304772_COV.jpg", nil
        ),
        (
            "00100lPORTRAIT_00100_BURST20190915164304772_CO.json",
            "00100lPORTRAIT_00100_BURST20190915164304772_COV(1).jpg", nil
        ),
        ("foo.json", "foo.jpg", nil),
        ("IMG_0484.JPG(3).json", "IMG_0484(3).JPG", nil),
        ("IMG_0839.JPG(1).json", "IMG_0839(1).JPG", nil),
    ]

    /// Names that look alike and are those of different photos.
    static let different: [Pair] = [
        ("PXL_20211013_220651983.jpg.json", "PXL_20211013_220651958.jpg", nil),
        ("DSC_0102.JPG(2).json", "DSC_0102(1).JPG", nil),
        ("DSC_0103.JPG(1).json", "DSC_0103.JPG", nil),
        ("DSC_0104.JPG.json", "DSC_0104(1).JPG", nil),
        (
            "Backyard_ceremony_wedding_photography_xxxxxxx_(494).json",
            "Backyard_ceremony_wedding_photography_xxxxxxx_m(185).jpg", nil
        ),
        ("PXL_20220405_090123740.PORTRAIT.jpg.json", "PXL_20220405_100123740.PORTRAIT-modifié.jpg", nil),
        ("PXL_20210102_221126856.MP~2.jpg.json", "PXL_20210102_221126856.MP", nil),
        ("image000000.gif.json", "image000000.jpg", nil),
    ]
}
