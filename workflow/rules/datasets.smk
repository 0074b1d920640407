rule dataset:
    output:
        "results/{scale}/datasets/{experiment}/{block}.h5",
    log:
        "results/{scale}/logs/datasets/{experiment}/{block}.log",
    benchmark:
        "results/{scale}/benchmarks/datasets/{experiment}/{block}.tsv"
    conda:
        "../../envs/nonconvex.yaml"
    threads: 1
    resources:
        mem_mb=memory("dataset"),
        runtime=minutes("dataset"),
    params:
        plan=plan("dataset"),
        code=code("dataset"),
    message:
        "Drawing trials {wildcards.block} of {wildcards.experiment}"
    shell:
        "python -m nonconvex dataset --plan {params.plan:q} --digest {params.code} "
        '--output {output} --files "$NONCONVEX_FILES" > {log} 2>&1'
